import type { Realm } from '../realm/natives.ts'
import { replaceAccessor, replaceMethod } from '../realm/replace.ts'
import { needsExamination } from './declarations.ts'

/** Reports changes of the rules in a window's style sheets that leave the list of sheets as it is. */
export interface RuleWatch {
  /** Increases with each change that may matter. */
  version(): number
}

/** Methods of style sheets and rules that change rules. */
const CHANGING = ['insertRule', 'deleteRule', 'addRule', 'removeRule', 'replace', 'replaceSync'] as const

type Method = (this: unknown, ...args: unknown[]) => unknown

const ownersIn = (realm: Realm, names: RegExp): object[] =>
  Object.getOwnPropertyNames(realm)
    .filter((name) => names.test(name))
    .flatMap((name) => (Reflect.get(realm, name) as { readonly prototype?: object }).prototype ?? [])

const describe = (owner: object, name: string): PropertyDescriptor | undefined =>
  Object.getOwnPropertyDescriptor(owner, name)

/** Watches the methods that add and remove rules. */
const watchMethods = (realm: Realm, onChange: () => void): void => {
  for (const owner of ownersIn(realm, /^CSS\w*(Rule|Sheet)$/) as Record<string, Method>[])
    for (const name of CHANGING) {
      const native = describe(owner, name)?.value as Method | undefined
      if (!native) continue
      replaceMethod(owner, name, function (...args) {
        onChange()
        const result = native.apply(this, args)
        // The rules of a sheet that is replaced later are there once the promise is settled.
        if (result instanceof realm.Promise) result.then(onChange, onChange)
        return result
      })
    }
}

/** Watches declarations that scripts hold and can change at any time; returns a check for such changes. */
const watchDeclarations = (realm: Realm, onChange: () => void): (() => void) => {
  /** For each rule whether its declarations needed examination at the last check. */
  const heldRules = new Map<CSSStyleRule, boolean>()
  const hold = (rule: CSSStyleRule, style: CSSStyleDeclaration) => {
    if (!heldRules.has(rule)) heldRules.set(rule, needsExamination(style))
  }
  for (const owner of ownersIn(realm, /^(CSSStyleRule|CSSNestedDeclarations)$/) as CSSStyleRule[]) {
    const style = describe(owner, 'style')?.get as (this: CSSStyleRule) => CSSStyleDeclaration
    for (const name of ['style', 'styleMap'] as const) {
      const { get, set } = describe(owner, name) ?? {}
      replaceAccessor(owner, name, {
        get(this: CSSStyleRule) {
          hold(this, style.call(this))
          return get?.call(this)
        },
        set(this: CSSStyleRule, value: unknown) {
          hold(this, style.call(this))
          set?.call(this, value)
        },
      })
    }
  }
  return () => {
    for (const [rule, before] of heldRules) {
      const now = needsExamination(rule.style)
      if (now === before) continue
      heldRules.set(rule, now)
      onChange()
    }
  }
}

/** Watches selectors that scripts change. */
const watchSelectors = (realm: Realm, onChange: () => void): void => {
  for (const owner of ownersIn(realm, /^CSSStyleRule$/) as CSSStyleRule[]) {
    const set = describe(owner, 'selectorText')?.set
    replaceAccessor(owner, 'selectorText', {
      set(this: CSSStyleRule, value: unknown) {
        onChange()
        set?.call(this, value)
      },
    })
  }
}

/** Installs the watch in a window, before its scripts run. */
export const watchRules = (realm: Realm): RuleWatch => {
  let version = 0
  const change = () => {
    version += 1
  }
  watchMethods(realm, change)
  watchSelectors(realm, change)
  const check = watchDeclarations(realm, change)
  return {
    version() {
      check()
      return version
    },
  }
}
