import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import type { RefusedSetting } from '../terms/terms.ts';
import { namesSettings, type RunSettings, searchOf, settingsOfSearch } from './model/run-settings.ts';

export interface ChosenSettings {
  readonly settings: RunSettings;
  /**
   * Whether the address or the person has named any of them; what was run last stands in the place of
   * defaults only.
   */
  readonly isChosen: boolean;
  /** Parts of the address that could not be read; none once something was chosen or this was seen. */
  readonly refused: readonly RefusedSetting[];
  readonly forgetRefused: () => void;
  readonly setSettings: (settings: RunSettings) => void;
}

/**
 * The settings of the next run. They stand in the address, so that its copy leads to the same run, and stay
 * when a tab is chosen.
 */
export function useRunSettings(): ChosenSettings {
  const location = useLocation();
  const [{ settings, isChosen, refused }, setState] = useState<
    Omit<ChosenSettings, 'setSettings' | 'forgetRefused'>
  >(() => {
    const search = new URLSearchParams(location.search);
    return { ...settingsOfSearch(search, new Date()), isChosen: namesSettings(search) };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every move of the router writes an address without them
  useEffect(() => {
    const url = new URL(window.location.href);
    const next = searchOf(settings, url.searchParams, new Date()).toString();
    if (next === url.searchParams.toString()) return;
    url.search = next;
    // Past the router: for it nothing has changed, and what it keeps with the place stays.
    window.history.replaceState(window.history.state, '', url);
  }, [settings, location]);
  const setSettings = useCallback(
    (next: RunSettings) => setState({ settings: next, isChosen: true, refused: [] }),
    [],
  );
  const forgetRefused = useCallback(() => setState((now) => ({ ...now, refused: [] })), []);
  return { settings, isChosen, refused, setSettings, forgetRefused };
}
