import { natives, type Realm } from '../natives.ts'
import { replaceMethod } from '../replace.ts'

const own = new WeakSet<Animation>()

/** Sets a property of an element over every style of the page, out of sight of what lists animations. */
export interface OwnAnimation {
  set(property: string, value: string): void
  cancel(): void
}

/** Makes one that sets nothing yet. */
export const createOwnAnimation = (element: Element): OwnAnimation => {
  const animation = natives.animate.call(element, [], { duration: 1, fill: 'both' })
  own.add(animation)
  natives.animation.pause.call(animation)
  natives.animation.setTime(animation, 0)
  return {
    set: (property, value) =>
      (animation.effect as KeyframeEffect).setKeyframes({ [property]: [value, value] }),
    cancel: () => natives.animation.cancel.call(animation),
  }
}

/** Leaves them out of the lists that scripts and the runtime read. */
export const hideOwnAnimations = (realm: Realm): void => {
  const hide = (proto: Animatable | DocumentOrShadowRoot) => {
    const native = proto.getAnimations as (this: unknown, ...args: unknown[]) => Animation[]
    replaceMethod(proto, 'getAnimations', function (this: unknown, ...args: unknown[]) {
      return native.apply(this, args).filter((animation) => !own.has(animation))
    })
  }
  hide(realm.Element.prototype)
  hide(realm.Document.prototype)
  hide(realm.ShadowRoot.prototype)
}
