// The views that a page has whose server is in it.

import { enter } from "./loading.js";
import { river } from "./river.js";
import { strategies } from "./strategies.js";

export const more = { strategies, river, enter };
