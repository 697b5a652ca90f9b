import { natives } from '../realm/natives.ts'

/** Values of properties through which something behind an element could be seen. */
const OPAQUE: Readonly<Record<string, RegExp>> = {
  backgroundColor: /^rgb\(/,
  opacity: /^1$/,
  clipPath: /^none$/,
  maskImage: /^none$/,
  filter: /^none$/,
  transform: /^none$/,
  mixBlendMode: /^normal$/,
  visibility: /^visible$/,
  backgroundClip: /^border-box$/,
  borderTopLeftRadius: /^0px$/,
  borderTopRightRadius: /^0px$/,
  borderBottomLeftRadius: /^0px$/,
  borderBottomRightRadius: /^0px$/,
}

/** Whether the root covers everything behind it with a static colour. */
export const isCovered = (root: Element | null): boolean => {
  // The background of these is made transparent in formats with alpha.
  if (root === null || root.matches('html,body') || root.getAnimations().length > 0) return false
  const style = natives.getComputedStyle(root) as unknown as Readonly<Record<string, string>>
  return Object.entries(OPAQUE).every(([name, value]) => value.test(style[name] ?? ''))
}
