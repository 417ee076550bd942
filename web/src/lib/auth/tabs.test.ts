// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { onTabNews, tellTabs } from './tabs.ts';

const others: BroadcastChannel[] = [];
afterEach(() => {
  for (const other of others.splice(0)) other.close();
});
/** Another tab of the browser. */
function otherTab(): BroadcastChannel {
  const other = new BroadcastChannel('quantloom-session');
  others.push(other);
  return other;
}

it('hears what other tabs tell of the session, and nothing else, until it stops to', async () => {
  const heard: unknown[] = [];
  const stop = onTabNews((news) => heard.push(news));
  const other = otherTab();
  for (const data of [null, 7, { type: 'tab.signedIn' }, { type: 'other' }]) other.postMessage(data);
  other.postMessage({ type: 'tab.signedIn', userId: 'ann', more: 1 });
  other.postMessage({ type: 'tab.signedOut' });
  const news = [{ type: 'tab.signedIn', userId: 'ann' }, { type: 'tab.signedOut' }];
  await vi.waitFor(() => expect(heard).toEqual(news));
  stop();
  const last = vi.fn();
  const stopLast = onTabNews(last);
  other.postMessage({ type: 'tab.signedOut' });
  await vi.waitFor(() => expect(last).toHaveBeenCalled());
  expect(heard).toEqual(news);
  stopLast();
});

it('tells the other tabs, not itself', async () => {
  const own = vi.fn();
  const stop = onTabNews(own);
  const heard: unknown[] = [];
  otherTab().onmessage = ({ data }) => heard.push(data);
  tellTabs({ type: 'tab.signedIn', userId: 'ann' });
  await vi.waitFor(() => expect(heard).toEqual([{ type: 'tab.signedIn', userId: 'ann' }]));
  expect(own).not.toHaveBeenCalled();
  stop();
});
