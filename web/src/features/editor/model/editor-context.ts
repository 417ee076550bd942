import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import type { SavedStrategy } from '@quantloom/domain/strategy/strategy-block';
import type { Algorithm, BlockNode, ConditionItem } from '@quantloom/domain/strategy/tree';
import { createContext, useContext } from 'react';
import type { EditorStore } from './editor-store.ts';

/** What an asset picker is opened for; ratios are for conditions only. */
export interface AssetPickerRequest {
  readonly purpose: 'asset' | 'condition';
  readonly current: string;
  readonly onPick: (asset: { readonly ticker: string; readonly name: string }) => void;
}

export interface TypeBlocksRequest {
  readonly onAdd: (block: BlockNode) => void;
  readonly begun?: string;
}

/** What every part of the tree may need, handed down once. */
export interface EditorTools {
  readonly store: EditorStore;
  readonly newId: () => string;
  /** False while an old revision or somebody else's strategy is shown. */
  readonly isEditable: boolean;
  readonly canUseVariables: boolean;
  readonly canUseZScore: boolean;
  /** Names of the variables that the strategy holds now. */
  readonly variables: readonly string[];
  openAssetPicker(request: AssetPickerRequest): void;
  /** Id of the strategy that is edited; `new` before its first save. */
  strategyId(): string;
  /** What a run of the strategy as it stands would be; null while a date is missing. */
  runRequest(): BacktestRequest | null;
  /** Lets a saved strategy be chosen. */
  openStrategyPicker(request: { readonly onPick: (strategy: SavedStrategy) => void }): void;
  /** Lets a block be typed as text; `begun` is what was typed of it already. */
  openTypeBlocks(request: TypeBlocksRequest): void;
  /** Asks first, then removes. */
  requestRemoval(node: BlockNode): void;
  /** Asks first, then removes all of them. */
  requestRemovalOf(nodes: readonly BlockNode[]): void;
  /** Removes without asking: conditions, and what was cut to be pasted elsewhere. */
  removeAtOnce(node: BlockNode | ConditionItem): void;
  copy(node: Algorithm | BlockNode): void;
  /** What was copied, from the local storage; null where there is nothing that is a block. */
  readCopied(): BlockNode | null;
}

export const EditorToolsContext = createContext<EditorTools | null>(null);

/** The tools of the editor around this component. */
export function useEditorTools(): EditorTools {
  const tools = useContext(EditorToolsContext);
  if (!tools) throw new Error('There is no editor around this component');
  return tools;
}
