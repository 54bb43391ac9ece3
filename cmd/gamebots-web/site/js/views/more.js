// The views that a page has whose server is in it.

import { enter } from "./loading.js";

export const more = { enter };
