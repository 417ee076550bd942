/** In a file of its own, so that a reader of versions does not load the model. */
const DEMO = /Z-demo\d+$/;

/**
 * Whether a data set's version is one of the demo's, whose prices come from a model; `SIM:` series made from
 * real prices do not.
 */
export const isDemoVersion = (version: string): boolean => DEMO.test(version);
