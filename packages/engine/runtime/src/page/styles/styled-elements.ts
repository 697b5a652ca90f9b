import { needsExamination } from './declarations.ts'
import { type OuterRule, subjectsOf } from './rule-selectors.ts'
import type { RuleWatch } from './rule-watch.ts'

/** A document or a shadow tree. */
export type Tree = Document | ShadowRoot

/** Finds the elements to which style sheets may give properties that need examination. */
export interface StyledElements {
  /**
   * At least all such elements of a document and its shadow trees as they are now, whatever makes a rule apply: attributes,
   * states of elements, container queries, variables or a change of the sheets themselves.
   */
  find(trees: readonly Tree[]): Element[]
  /** Elements whose generated content may have such a property; not all of those that any elements may be. */
  findWithContent(trees: readonly Tree[]): Element[]
  /** The sheets of the trees, and a number that increases when their rules change in another way. */
  sheets(trees: readonly Tree[]): readonly unknown[]
}

/** The sheets of a tree, and what they ask for. */
interface TreeRules {
  readonly sheets: readonly CSSStyleSheet[]
  readonly version: number
  readonly selectors: Selectors
}

const sheetsOf = (tree: Tree): CSSStyleSheet[] => [...tree.styleSheets, ...tree.adoptedStyleSheets]

/** The rules of a sheet; undefined for one of another origin, or one that is still being read. */
const rulesOf = (sheet: CSSStyleSheet): CSSRuleList | undefined => {
  try {
    return sheet.cssRules
  } catch {
    return undefined
  }
}

/** What a rule of any kind may have. */
interface AnyRule extends CSSRule {
  readonly style?: CSSStyleDeclaration
  readonly selectorText?: string
  readonly cssRules?: CSSRuleList
  readonly styleSheet?: CSSStyleSheet | null
}

/** Selectors of elements; undefined among them means any elements. */
interface Selectors {
  readonly all: Set<string | undefined>
  /** Those of elements whose generated content is styled, as far as they are known. */
  readonly content: Set<string | undefined>
}

const GENERATED = /::?(?:before|after)\b/

const collectRule = (rule: AnyRule, outer: OuterRule, selectors: Selectors): void => {
  const { style, selectorText, cssRules, styleSheet } = rule
  const kind = rule.constructor.name
  // Elements with animations are found by these.
  if (kind === 'CSSKeyframesRule') return
  const subjects = selectorText === undefined ? outer.parent : subjectsOf(selectorText, outer)
  if (style && needsExamination(style)) {
    selectors.all.add(subjects)
    // A rule that is nested in one for generated content has no selector of its own.
    const isContent = outer.isContent || GENERATED.test(selectorText ?? '')
    if (isContent && subjects !== undefined) selectors.content.add(subjects)
  }
  if (styleSheet) collect(rulesOf(styleSheet), outer, selectors)
  if (cssRules) {
    const isContent = outer.isContent || GENERATED.test(selectorText ?? '')
    collect(cssRules, { parent: subjects, isScoped: outer.isScoped || kind === 'CSSScopeRule', isContent }, selectors)
  }
}

/** Adds the selectors of all rules whose declarations need examination. */
const collect = (rules: Iterable<CSSRule> | undefined, outer: OuterRule, selectors: Selectors): void => {
  if (rules) for (const rule of rules) collectRule(rule, outer, selectors)
  else selectors.all.add(undefined)
}

/** Creates the search in the style sheets of a window, whose changes `watch` reports. */
export const createStyledElements = (watch: RuleWatch): StyledElements => {
  const versionOf = watch.follow(needsExamination)
  const rulesOfTree = new WeakMap<Tree, TreeRules>()
  const read = (tree: Tree, version: number): TreeRules => {
    const sheets = sheetsOf(tree)
    const before = rulesOfTree.get(tree)
    const isSame =
      before?.version === version &&
      before.sheets.length === sheets.length &&
      sheets.every((sheet, index) => sheet === before.sheets[index])
    if (isSame) return before
    const selectors: Selectors = { all: new Set(), content: new Set() }
    for (const sheet of sheets) collect(rulesOf(sheet), {}, selectors)
    const rules = { sheets, version, selectors }
    rulesOfTree.set(tree, rules)
    return rules
  }
  const findBy = (trees: readonly Tree[], which: keyof Selectors): Element[] => {
    const version = versionOf()
    const all = trees.map((tree) => [tree, read(tree, version).selectors[which]] as const)
    const isAnywhere = all.some(([, selectors]) => selectors.has(undefined))
    return all.flatMap(([tree, selectors]) => {
      const selector = isAnywhere ? '*' : [...selectors].join()
      return selector === '' ? [] : [...tree.querySelectorAll(selector)]
    })
  }
  return {
    sheets: (trees) => [versionOf(), ...trees.flatMap(sheetsOf).flatMap((sheet) => [sheet, sheet.disabled])],
    find: (trees) => findBy(trees, 'all'),
    findWithContent: (trees) => findBy(trees, 'content'),
  }
}
