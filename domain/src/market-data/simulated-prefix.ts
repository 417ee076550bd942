/** What every simulated ticker begins with. In a file of its own, so that the browser's search does not load the model. */
export const SIMULATED_PREFIX = 'SIM:';
