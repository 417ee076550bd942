import { type ComponentType, createContext } from 'react';
import type { PlotProps } from './plot/Plot.tsx';

/** What draws charts; null: Plotly, which is fetched when the first one is shown. Tests look at what would be drawn. */
export const ChartDrawer = createContext<ComponentType<PlotProps> | null>(null);
