import type { Realm } from '../realm/natives.ts'
import { replaceAccessor, replaceMethod } from '../realm/replace.ts'

/** Reports changes of the rules in a window's style sheets that leave the list of sheets as it is. */
export interface RuleWatch {
  /**
   * Returns a number that increases with each change that may matter. Declarations of rules that scripts hold may change at
   * any time: they matter when what `read` makes of them has changed.
   */
  follow(read: (style: CSSStyleDeclaration) => unknown): () => number
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

/** Reports declarations that a script may hold, and change at any time, from then on. */
const watchDeclarations = (realm: Realm, onHeld: (style: CSSStyleDeclaration) => void): void => {
  for (const owner of ownersIn(realm, /^(CSSStyleRule|CSSNestedDeclarations)$/) as CSSStyleRule[]) {
    const style = describe(owner, 'style')?.get as (this: CSSStyleRule) => CSSStyleDeclaration
    for (const name of ['style', 'styleMap'] as const) {
      const { get, set } = describe(owner, name) ?? {}
      replaceAccessor(owner, name, {
        get(this: CSSStyleRule) {
          onHeld(style.call(this))
          return get?.call(this)
        },
        set(this: CSSStyleRule, value: unknown) {
          onHeld(style.call(this))
          set?.call(this, value)
        },
      })
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

const watchRules = (realm: Realm): RuleWatch => {
  let version = 0
  const change = () => {
    version += 1
  }
  const holders: ((style: CSSStyleDeclaration) => void)[] = []
  watchMethods(realm, change)
  watchSelectors(realm, change)
  watchDeclarations(realm, (style) => {
    for (const hold of holders) hold(style)
  })
  return {
    follow(read) {
      const readings = new Map<CSSStyleDeclaration, unknown>()
      let changes = 0
      holders.push((style) => {
        if (!readings.has(style)) readings.set(style, read(style))
      })
      return () => {
        for (const [style, before] of readings) {
          const now = read(style)
          if (now === before) continue
          readings.set(style, now)
          changes += 1
        }
        return version + changes
      }
    },
  }
}

/** The watches of a page's windows. */
export interface RuleWatches {
  /** Installs the watch of a window, before its scripts run. */
  install(realm: Realm): void
  of(realm: Realm): RuleWatch
}

/** Creates an empty record. */
export const createRuleWatches = (): RuleWatches => {
  const watches = new WeakMap<Realm, RuleWatch>()
  return {
    install(realm) {
      watches.set(realm, watchRules(realm))
    },
    of: (realm) => watches.get(realm) as RuleWatch,
  }
}
