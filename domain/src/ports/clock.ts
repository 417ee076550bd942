/** The only source of time outside adapters, so that tests can stand still. */
export interface Clock {
  now(): Date;
}
