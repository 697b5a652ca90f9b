import { natives, type Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'

const hidden = new WeakSet<Animation>()

/** Sets properties of an element with precedence over all styles that are not important, hidden from scripts. */
export interface StyleOverride {
  /** Sets these properties, named as in scripts, and no others. */
  set(styles: Readonly<Record<string, string>>): void
  cancel(): void
}

/** Creates an override, by a paused animation, that sets nothing yet. */
export const createStyleOverride = (element: Element): StyleOverride => {
  const animation = natives.animate.call(element, [], { duration: 1, fill: 'both' })
  hidden.add(animation)
  natives.animation.pause.call(animation)
  natives.animation.setTime(animation, 0)
  return {
    set: (styles) =>
      (animation.effect as KeyframeEffect).setKeyframes(
        Object.fromEntries(Object.entries(styles).map(([name, value]) => [name, [value, value]])),
      ),
    cancel: () => natives.animation.cancel.call(animation),
  }
}

/** Overrides styles of several elements for a while. */
export interface StyleOverrides {
  /** Sets these properties of more elements; returns whether any is overridden. */
  set(elements: Iterable<Element>, styles: Readonly<Record<string, string>>): boolean
  cancel(): void
}

/** Creates overrides of no element yet. */
export const createStyleOverrides = (): StyleOverrides => {
  const overrides: StyleOverride[] = []
  return {
    set(elements, styles) {
      for (const element of elements) {
        const override = createStyleOverride(element)
        overrides.push(override)
        override.set(styles)
      }
      return overrides.length > 0
    },
    cancel() {
      for (const override of overrides.splice(0)) override.cancel()
    },
  }
}

/** Whether an animation is an override. */
export const isStyleOverride = (animation: Animation): boolean => hidden.has(animation)

/** Removes these animations from the lists that scripts and the runtime read. */
export const hideStyleOverrides = (realm: Realm): void => {
  const hide = (proto: Animatable | DocumentOrShadowRoot) => {
    const native = proto.getAnimations as (this: unknown, ...args: unknown[]) => Animation[]
    replaceMethod(proto, 'getAnimations', function (this: unknown, ...args: unknown[]) {
      return native.apply(this, args).filter((animation) => !hidden.has(animation))
    })
  }
  hide(realm.Element.prototype)
  hide(realm.Document.prototype)
  hide(realm.ShadowRoot.prototype)
}
