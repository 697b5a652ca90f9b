import type { Realm } from '../realm/natives.ts'
import { replaceAccessor } from '../realm/replace.ts'

/**
 * Lets scripts see a scale of 1 in place of a smaller one: what they draw keeps its own size and is reduced with the
 * page, and a rounded-down ratio is not 0. A larger scale they do see, and may draw more pixels.
 */
export const installPixelRatio = (realm: Realm, scale: number): void => {
  if (scale < 1) replaceAccessor(realm, 'devicePixelRatio', { get: () => 1 })
}
