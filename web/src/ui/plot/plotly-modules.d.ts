declare module 'plotly.js/lib/core' {
  const core: typeof import('plotly.js') & { register(modules: readonly unknown[]): void };
  export default core;
}
declare module 'plotly.js/lib/bar';
declare module 'plotly.js/lib/histogram';
declare module 'plotly.js/src/traces/parcoords/strict';
declare module 'plotly.js/src/traces/scattergl/strict';
