// The solver of spots is the server's. The page of "make web" has another file in place of this one.

import { request } from "./server.js";

// LIMIT says how long a spot is solved, at most.
export const LIMIT = "The server solves a river within a second and a turn within ten; what it has found by then is shown.";

// ask returns the answer to a request for spots.
export const ask = (path, { token, signal }) => request(path, token, signal);
