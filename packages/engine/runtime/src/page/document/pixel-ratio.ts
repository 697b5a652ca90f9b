import type { Realm } from '../realm/natives.ts'
import { replaceAccessor } from '../realm/replace.ts'

/**
 * Shows scripts a scale of 1 instead of a smaller one: their drawings keep their size and are reduced with the
 * page, and a rounded-down ratio is not 0. They see a larger scale, and may draw more pixels.
 */
export const installPixelRatio = (realm: Realm, scale: number): void => {
  if (scale < 1) replaceAccessor(realm, 'devicePixelRatio', { get: () => 1 })
}
