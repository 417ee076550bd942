import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import type { ResultSnapshot } from '@quantloom/domain/shared-result/snapshot';
import { plotCurve } from './curve-figure.ts';
import { percent } from './result-body.ts';

const [WIDTH, HEIGHT, MARGIN] = [1200, 630, 64];
const FONT = 'Quantloom Inter';
const COLORS = { canvas: '#ffffff', ink: '#131816', muted: '#4d5753', accent: '#0b6d42', faint: '#84908b' };

let hasFont = false;

function loadFont(): void {
  if (hasFont) return;
  const file = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
  GlobalFonts.register(readFileSync(fileURLToPath(file)), FONT);
  hasFont = true;
}

/** The picture of link previews, 1200 by 630: name, three figures and the curve. A PNG. */
export async function previewPicture(name: string, result: ResultSnapshot | null): Promise<Buffer> {
  loadFont();
  const canvas = createCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d');
  context.fillStyle = COLORS.canvas;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  write(context, PRODUCT_NAME, { x: MARGIN, y: 84, size: 26, color: COLORS.accent, weight: 600 });
  write(context, name, { x: MARGIN, y: 150, size: 52, color: COLORS.ink, weight: 600 });
  if (result) {
    drawFigures(context, result);
    drawCurve(context, result);
  }
  return await canvas.encode('png');
}

function drawFigures(
  context: SKRSContext2D,
  { figures, firstDay, lastDay, isSimulated }: ResultSnapshot,
): void {
  const shown = [
    ['Return a year', percent(figures.annualized_return)],
    ['Sharpe ratio', figures.sharpe === null ? '–' : figures.sharpe.toFixed(2)],
    ['Largest drawdown', percent(figures.max_drawdown)],
  ] as const;
  shown.forEach(([label, value], i) => {
    const x = MARGIN + i * 300;
    write(context, label, { x, y: 204, size: 22, color: COLORS.muted });
    write(context, value, { x, y: 250, size: 40, color: COLORS.ink, weight: 600 });
  });
  const days = `A backtest from ${firstDay} to ${lastDay}${isSimulated ? ', on simulated prices' : ''}`;
  write(context, days, { x: MARGIN, y: 596, size: 22, color: COLORS.muted });
}

function drawCurve(context: SKRSContext2D, result: ResultSnapshot): void {
  const plot = plotCurve(result, { left: MARGIN, top: 286, width: WIDTH - 2 * MARGIN, height: 260 });
  const line = (points: readonly (readonly [number, number])[], color: string, width: number) => {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.lineJoin = 'round';
    context.beginPath();
    for (const [x, y] of points) context.lineTo(x, y);
    context.stroke();
  };
  if (plot.benchmark) line(plot.benchmark, COLORS.faint, 3);
  line(plot.value, COLORS.accent, 5);
}

function write(
  context: SKRSContext2D,
  text: string,
  place: { x: number; y: number; size: number; color: string; weight?: number },
): void {
  context.font = `${place.weight ?? 400} ${place.size}px "${FONT}"`;
  context.fillStyle = place.color;
  context.fillText(fitting(context, text, WIDTH - MARGIN - place.x), place.x, place.y);
}

/** As much of a text as is not too wide. */
function fitting(context: SKRSContext2D, text: string, width: number): string {
  const short = [...text].slice(0, 200);
  if (context.measureText(short.join('')).width <= width) return short.join('');
  while (short.length > 1 && context.measureText(`${short.join('')}…`).width > width) short.pop();
  return `${short.join('')}…`;
}
