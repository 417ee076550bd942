import { expect, it } from 'vitest';
import { fileNameOf } from './file-name.ts';

it.each([
  ['Core holding', 'Core-holding-monthly-returns.csv'],
  ['../TQQQ / “long term”?', 'TQQQ-long-term-monthly-returns.csv'],
  ['Größe 2.0', 'Größe-2.0-monthly-returns.csv'],
  ['…', 'monthly-returns.csv'],
])('a file of %s is called %s', (name, file) => {
  expect(fileNameOf(name, 'monthly-returns.csv')).toBe(file);
});
