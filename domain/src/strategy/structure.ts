import type { Problem } from '../kernel/refusal.ts';
import { isWeightKind } from './block-table.ts';
import { FieldReader, type Fields, MAX_NODES, MAX_TICKER_LENGTH } from './field-reader.ts';
import { DEFAULT_WINDOW, INDICATORS, isFilterSortName } from './indicator.ts';
import { languageVersion } from './language-version.ts';
import { normalFunctionName, normalNodeType } from './node-fields.ts';
import { REBALANCE_DAYS, REBALANCE_RULES } from './rebalancing.ts';
import { isStrategySource } from './strategy-block.ts';
import type { Algorithm } from './tree.ts';
import { COMPARATORS, MAX_CONDITION_GROUPS } from './validation-conditions.ts';
import { field, isRecord, quote } from './values.ts';

/** Bounds of a stored tree. What is within them can be drawn, compared and bound without exhausting anything. */
export { MAX_NODES };
export const MAX_NESTING = 500;
export const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 10_000;
/** Weights by rank that are kept. */
const MAX_RANK_WEIGHTS = 1000;
const CONDITION_NUMBERS = ['lhs_days_ago', 'rhs_days_ago', 'rhs_scale', 'rhs_offset', 'for_days'];

/** A stored tree, or everything that keeps the value from being one. */
export type StructureReading =
  | { readonly algorithm: Algorithm; readonly problems?: never }
  | { readonly algorithm?: never; readonly problems: readonly Problem[] };

/**
 * Reads a value as the tree of a strategy that may still be incomplete: empty blocks, unset conditions and
 * missing tickers are a draft's good right, but every field has its type, every block a known type and an id
 * of its own, within the bounds above. Missing fields get their defaults, the underscore spellings are
 * normalised, fields that no block has are left out. Total: takes any JSON value and never throws.
 */
export function readStructure(value: unknown): StructureReading {
  const reader = new Reader(null);
  const algorithm = reader.root(value);
  return reader.problems.length > 0 || algorithm === null
    ? { problems: reader.problems }
    : { algorithm: algorithm as unknown as Algorithm };
}

/**
 * As `readStructure`, for a tree of unknown origin: what cannot be read is replaced by what a new block would
 * hold, told as a note, and the rest is kept. Ids that are missing or used twice are made anew. Only a tree
 * beyond the bounds has no algorithm.
 */
export function repairStructure(
  value: unknown,
  newNodeId: () => string,
): { readonly algorithm: Algorithm | null; readonly notes: readonly Problem[]; readonly blocks: number } {
  const reader = new Reader(newNodeId);
  const algorithm = reader.root(value);
  return {
    algorithm: reader.isBeyondBounds ? null : (algorithm as Algorithm | null),
    notes: [...reader.problems, ...reader.summaries()],
    blocks: reader.nodeCount,
  };
}

class Reader extends FieldReader {
  root(value: unknown): Fields | null {
    if (!isRecord(value)) {
      this.add({}, 'invalid_algorithm', '', `The strategy must be a tree of blocks, not ${quote(value)}`);
      return null;
    }
    if (field(value, 'node_type') !== 'root') {
      this.fault(value, 'not_root', '', `must be the root block, not ${quote(field(value, 'node_type'))}`);
      return null;
    }
    const version = field(value, 'version') ?? 'v1';
    if (version !== 'v1' && version !== 'v2')
      this.fault(value, 'invalid_field', '/version', `has the version ${quote(version)}, expected v1 or v2`);
    const tree = {
      ...this.common(value, '', 'root'),
      name: this.text(value, '', 'name', '', MAX_NAME_LENGTH),
      description: this.text(value, '', 'description', '', MAX_DESCRIPTION_LENGTH),
      ...this.rebalancing(value),
      version: 'v1',
      children: this.blocks(value, '', 'children', 1),
    };
    return { ...tree, version: languageVersion(tree as unknown as Algorithm) };
  }

  private rebalancing(node: Fields): Fields {
    const rebalance = this.choice(node, '/rebalance', field(node, 'rebalance'), REBALANCE_RULES, {
      code: 'unknown_rebalance_rule',
      verb: 'is rebalanced',
    });
    const on = field(node, 'rebalance_on') ?? null;
    // The default stands where none is given, and where it is none.
    const day = this.choice(node, '/rebalance_on', on, [null, ...REBALANCE_DAYS], {
      code: 'invalid_rebalance_day',
      verb: 'is rebalanced on',
    });
    return {
      rebalance,
      ...(day !== null && { rebalance_on: day }),
      ...this.numbers(node, node, '', ['corridor']),
    };
  }

  private blocks(node: Fields, path: string, name: string, depth: number): Fields[] {
    const list = this.list(node, path, name);
    if (list.length > 0 && depth > MAX_NESTING) {
      this.isBeyondBounds = true;
      this.fault(node, 'too_deep', path, `is nested more than ${MAX_NESTING} levels deep`);
      return [];
    }
    const blocks: Fields[] = [];
    for (const [index, child] of list.entries()) {
      if (this.isHopeless) break;
      const at = `${path}/${name}/${index}`;
      if (!isRecord(child)) this.fault(node, 'invalid_block', at, `holds ${quote(child)} instead of a block`);
      else if (!this.count(child, at)) break;
      else {
        const block = this.block(child, at, depth);
        if (block) blocks.push(block);
      }
    }
    return blocks;
  }

  private block(node: Fields, path: string, depth: number): Fields | null {
    const type = normalNodeType(field(node, 'node_type'));
    const children = () => this.blocks(node, path, 'children', depth + 1);
    switch (type) {
      case 'empty':
      case 'pasted':
        return this.common(node, path, type);
      case 'group':
        return {
          ...this.common(node, path, type),
          name: this.text(node, path, 'name', '', MAX_NAME_LENGTH),
          ...this.source(node, path),
          children: children(),
        };
      case 'wt-inverse-volatility':
        return {
          ...this.common(node, path, type),
          params: this.window(node, path),
          children: children(),
        };
      case 'asset':
        return {
          ...this.common(node, path, type),
          ticker: this.text(node, path, 'ticker', '', MAX_TICKER_LENGTH),
          name: this.text(node, path, 'name', '', MAX_NAME_LENGTH),
        };
      case 'filter':
        return { ...this.common(node, path, type), ...this.filter(node, path), children: children() };
      case 'if-then-else':
        return { ...this.common(node, path, type), ...this.ifThenElse(node, path, depth) };
      default:
        if (isWeightKind(type)) return { ...this.common(node, path, type), children: children() };
        this.fault(node, 'unknown_node_type', `${path}/node_type`, `has the unknown type ${quote(type)}`);
        return this.newId ? this.unknownBlock(node, path, depth) : null;
    }
  }

  /** In a repair, a block of unknown type becomes a group with its children, or a placeholder where it has none. */
  private unknownBlock(node: Fields, path: string, depth: number): Fields {
    if (!Array.isArray(field(node, 'children'))) return this.common(node, path, 'empty');
    const name = field(node, 'name') ?? field(node, 'node_type');
    return {
      ...this.common(node, path, 'group'),
      name: typeof name === 'string' ? name.slice(0, MAX_NAME_LENGTH) : '',
      children: this.blocks(node, path, 'children', depth + 1),
    };
  }

  /** The strategy that a group is a copy of, where it is one. */
  private source(node: Fields, path: string): Fields {
    const source = field(node, 'source') ?? null;
    if (source === null) return {};
    if (isStrategySource(source))
      return { source: { strategy_id: source.strategy_id, revision: source.revision } };
    this.fault(
      node,
      'invalid_source',
      `${path}/source`,
      `has ${quote(source)} as source, expected a strategy_id and a revision`,
    );
    return {};
  }

  /** The window of an inverse-volatility block. */
  private window(node: Fields, path: string): Fields {
    return { window: this.params(node, node, path, 'params').window ?? DEFAULT_WINDOW };
  }

  private filter(node: Fields, path: string): Fields {
    const part = (name: string): Fields => {
      const value = field(node, name);
      if (value !== undefined && !isRecord(value))
        this.fault(node, 'invalid_field', `${path}/${name}`, `has ${quote(value)} as ${name}`);
      return isRecord(value) ? value : {};
    };
    const sort = part('sort');
    const select = part('select');
    const fn = normalFunctionName(field(sort, 'fn') ?? 'relative-strength-index');
    if (!isFilterSortName(fn))
      this.fault(node, 'unknown_function', `${path}/sort/fn`, `sorts by the unknown function ${quote(fn)}`);
    const direction = this.choice(node, `${path}/select/fn`, field(select, 'fn'), ['top', 'bottom'], {
      code: 'invalid_selection',
      verb: 'selects',
    });
    const sortFn = isFilterSortName(fn) ? fn : 'relative-strength-index';
    const params = this.params(node, sort, `${path}/sort`, 'params');
    const hasWindow = params.window !== undefined || !INDICATORS[sortFn].usesWindow;
    return {
      sort: { fn: sortFn, params: hasWindow ? params : { window: DEFAULT_WINDOW, ...params } },
      select: { fn: direction, num: this.typed(node, select, `${path}/select`, 'num', 'loose', 1) },
      ...this.weighting(node, path),
    };
  }

  private weighting(node: Fields, path: string): Fields {
    const weighting = field(node, 'weighting') ?? null;
    if (weighting === null) return {};
    const at = `${path}/weighting`;
    if (!isRecord(weighting)) {
      this.fault(node, 'invalid_field', at, `has ${quote(weighting)} as weighting`);
      return {};
    }
    const type = this.choice(
      node,
      `${at}/type`,
      field(weighting, 'type'),
      ['equal', 'inverse-volatility', 'by-rank'],
      { code: 'unknown_weighting', verb: 'weights its choice by' },
    );
    if (type === 'inverse-volatility') {
      const { window = DEFAULT_WINDOW } = this.numbers(node, weighting, at, ['window']);
      return { weighting: { type, window } };
    }
    if (type === 'equal') return { weighting: { type } };
    const weights = this.list(node, at, 'weights', weighting).slice(0, MAX_RANK_WEIGHTS);
    return {
      weighting: {
        type,
        weights: weights.map((weight, rank) => {
          if (!isRecord(weight))
            this.fault(node, 'invalid_weight', `${at}/weights/${rank}`, `has the weight ${quote(weight)}`);
          const parts = isRecord(weight) ? weight : {};
          const part = (name: string, preset: number) =>
            this.typed(node, parts, `${at}/weights/${rank}`, name, 'loose', preset);
          return { num: part('num', 0), den: part('den', 100) };
        }),
      },
    };
  }

  private ifThenElse(node: Fields, path: string, depth: number): Fields {
    const given = field(node, 'condition_type');
    const type = this.choice(node, `${path}/condition_type`, given, ['allOf', 'anyOf'], {
      code: 'invalid_condition_type',
      verb: 'joins its conditions by',
    });
    return {
      condition_type: type,
      conditions: this.conditions(node, path, 0),
      then_children: this.blocks(node, path, 'then_children', depth + 1),
      else_children: this.blocks(node, path, 'else_children', depth + 1),
      is_conditions_collapsed: this.typed(node, node, path, 'is_conditions_collapsed', 'flag', false),
      is_then_collapsed: this.typed(node, node, path, 'is_then_collapsed', 'flag', false),
      is_else_collapsed: this.typed(node, node, path, 'is_else_collapsed', 'flag', false),
    };
  }

  /** @param groups how many condition groups are around the list */
  private conditions(node: Fields, path: string, groups: number): Fields[] {
    const conditions: Fields[] = [];
    for (const [index, item] of this.list(node, path, 'conditions').entries()) {
      if (this.isHopeless) break;
      const at = `${path}/conditions/${index}`;
      if (!isRecord(item))
        this.fault(node, 'invalid_condition', at, `holds ${quote(item)} instead of a condition`);
      else if (!this.count(item, at)) break;
      else if (normalNodeType(field(item, 'node_type')) !== 'condition-group')
        conditions.push(this.condition(item, at));
      else if (groups < MAX_CONDITION_GROUPS) conditions.push(this.group(item, at, groups + 1));
      else {
        const fault = `is nested too deep: a condition stands in at most ${MAX_CONDITION_GROUPS} condition groups`;
        this.fault(item, 'too_deep', at, fault);
      }
    }
    return conditions;
  }

  private group(node: Fields, path: string, groups: number): Fields {
    const type = this.choice(
      node,
      `${path}/condition_type`,
      field(node, 'condition_type'),
      ['allOf', 'anyOf'],
      { code: 'invalid_condition_type', verb: 'joins its conditions by' },
    );
    return {
      ...this.common(node, path, 'condition-group'),
      condition_type: type,
      conditions: this.conditions(node, path, groups),
    };
  }

  private condition(node: Fields, path: string): Fields {
    const type = field(node, 'node_type') ?? 'condition';
    if (type !== 'condition')
      this.fault(
        node,
        'unknown_node_type',
        `${path}/node_type`,
        `has the type ${quote(type)} where a condition is expected`,
      );
    const comparator = this.choice(
      node,
      `${path}/comparator`,
      field(node, 'comparator'),
      [null, ...COMPARATORS],
      {
        code: 'unknown_comparator',
        verb: 'compares by',
      },
    );
    return {
      ...this.common(node, path, 'condition'),
      lhs_fn: this.function(node, path, 'lhs_fn'),
      lhs_fn_params: this.params(node, node, path, 'lhs_fn_params'),
      lhs_val: this.side(node, path, 'lhs_val', 'text'),
      comparator,
      rhs_fn: this.function(node, path, 'rhs_fn'),
      rhs_fn_params: this.params(node, node, path, 'rhs_fn_params'),
      rhs_val: this.side(node, path, 'rhs_val', 'loose'),
      rhs_fixed_val: this.typed(node, node, path, 'rhs_fixed_val', 'flag', false),
      ...this.numbers(node, node, path, CONDITION_NUMBERS),
    };
  }
}
