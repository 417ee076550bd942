import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { type RunSettings, searchOf, settingsOfSearch } from './model/run-settings.ts';

/** The settings of the next run. They stand in the address, so that its copy leads to the same run, and stay when a tab is chosen. */
export function useRunSettings(): readonly [RunSettings, (settings: RunSettings) => void] {
  const location = useLocation();
  const [settings, setSettings] = useState(() =>
    settingsOfSearch(new URLSearchParams(location.search), new Date()),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: every move of the router writes an address without them
  useEffect(() => {
    const url = new URL(window.location.href);
    const next = searchOf(settings, url.searchParams, new Date()).toString();
    if (next === url.searchParams.toString()) return;
    url.search = next;
    // Past the router: for it nothing has changed, and what it keeps with the place stays.
    window.history.replaceState(window.history.state, '', url);
  }, [settings, location]);
  return [settings, setSettings];
}
