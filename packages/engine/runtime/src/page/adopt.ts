import type { Clock } from './clock/clock.ts'
import type { Shadows } from './document/shadows.ts'
import type { createFreezeStyles } from './readiness/freeze-styles.ts'
import { natives, type Realm } from './realm/natives.ts'

/** A part of the runtime that changes every window of the page. */
export interface Installable {
  install(realm: Realm): void
}

/** What a window joins. */
export interface AdoptParts {
  readonly clock: Clock
  readonly realms: Set<Realm>
  readonly installed: readonly Installable[]
  readonly freezeStyles: ReturnType<typeof createFreezeStyles>
  readonly shadows: Shadows
}

/** Creates a function that makes a window, the top one or a frame of the same origin, follow the clock. */
export const createAdopt =
  ({ clock, realms, installed, freezeStyles, shadows }: AdoptParts) =>
  (joining: Realm): void => {
    realms.add(joining)
    for (const part of installed) part.install(joining)
    const frozen = clock.started ? undefined : freezeStyles.install(joining)
    shadows.install(joining)
    shadows.onTree((tree) => {
      if (!clock.started && tree.ownerDocument === joining.document) frozen?.include(tree)
    })
    natives.listen.call(joining, 'pagehide', () => {
      if (joining.closed) realms.delete(joining)
    })
  }
