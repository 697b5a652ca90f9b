import { natives, type Realm } from './natives.ts'
import { replaceMethod } from './replace.ts'

/** Interfaces of controls and forms, which all have `checkValidity()`. */
const VALIDATED = [
  'HTMLFormElement',
  'HTMLInputElement',
  'HTMLSelectElement',
  'HTMLTextAreaElement',
  'HTMLButtonElement',
  'HTMLOutputElement',
  'HTMLFieldSetElement',
  'HTMLObjectElement',
  'ElementInternals',
] as const

/** Makes an event look as if only the page could prevent its default; returns whether the page has. */
const keepFromBrowser = (event: Event): (() => boolean) => {
  event.preventDefault()
  let isPrevented = false
  Object.defineProperties(event, {
    preventDefault: { value: () => (isPrevented = true), configurable: true },
    defaultPrevented: { get: () => isPrevented, configurable: true },
  })
  return () => isPrevented
}

/**
 * Keeps away what a browser writes beside an invalid field, in all windows: it is no part of the page, and fades by the real
 * clock. The field is focused, as a browser does with it. Events in a shadow tree do not reach the window.
 */
export const createValidationMessages = (
  onTree: (listener: (tree: ShadowRoot) => void) => void,
): { install(realm: Realm): void } => {
  /** Depth of calls that only ask for the validity, after which a browser shows and focuses nothing. */
  let asking = 0
  let invalid: { readonly field: HTMLElement; readonly isPrevented: () => boolean }[] = []

  const focusFirst = () => {
    const fields = invalid.filter(({ isPrevented }) => !isPrevented())
    invalid = []
    for (const { field } of fields) {
      field.focus()
      if ((field.getRootNode() as Document | ShadowRoot).activeElement === field) return
    }
  }
  const onInvalid = (event: Event) => {
    if (asking > 0 || !event.isTrusted) return
    if (invalid.length === 0) queueMicrotask(focusFirst)
    invalid.push({ field: event.target as HTMLElement, isPrevented: keepFromBrowser(event) })
  }
  onTree((tree) => natives.listen.call(tree, 'invalid', onInvalid, true))
  return {
    install(realm) {
      natives.listen.call(realm, 'invalid', onInvalid, true)
      for (const name of VALIDATED) {
        const owner = realm[name].prototype
        const { checkValidity } = owner
        replaceMethod(owner, 'checkValidity', function (this: never) {
          asking += 1
          try {
            return checkValidity.call(this)
          } finally {
            asking -= 1
          }
        })
      }
    },
  }
}
