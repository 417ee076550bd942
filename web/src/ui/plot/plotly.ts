// The parts of Plotly that the product uses. The `strict` traces never build code from strings, so the
// content security policy needs no `unsafe-eval`.

import bar from 'plotly.js/lib/bar';
import core from 'plotly.js/lib/core';
import histogram from 'plotly.js/lib/histogram';
import parcoords from 'plotly.js/src/traces/parcoords/strict';
import scattergl from 'plotly.js/src/traces/scattergl/strict';

core.register([bar, histogram, parcoords, scattergl]);

export default core;
