// More views: the page of "make web" has some.

export const more = {};
