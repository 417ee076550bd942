export * from './masks';
export * from './select';
export * from './simulate';
export * from './weighted';
export * from './held';
export * from './inverse';
export * from './runs';
export * from './stretches';
