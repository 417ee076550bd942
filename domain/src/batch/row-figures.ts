/** Most rows whose expected shortfall and exposure are computed at a time: more than a screen shows. */
export const MOST_FIGURED = 50;
