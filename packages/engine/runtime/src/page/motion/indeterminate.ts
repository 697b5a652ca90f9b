import type { Clock } from '../clock/clock.ts'
import { anchorOf } from '../document/anchor.ts'
import type { HiddenTrees } from '../document/hidden-trees.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { createStyleOverride, type StyleOverride } from './style-override.ts'

/** Progress bars without a value: draws them as the browser does, but on the page's clock instead of the real one. */
export interface Indeterminate {
  /** Draws the bars of all windows at the clock's time. */
  sync(): void
}

/** Period of Chromium's bar, in ms. */
const PERIOD_MS = 2_500

/** Share of the width of the moving part. */
const PIECE = 0.2

const SYSTEM_ACCENT = 'rgb(0, 117, 255)'

const HOST = { appearance: 'none', background: 'none', border: 'none', boxShadow: 'none' }

const ROUND = { borderRadius: '40px' }

const BAR = {
  ...ROUND,
  position: 'relative',
  top: '25%',
  height: '50%',
  // A scroll container would give the line another baseline.
  overflow: 'clip',
  background: 'rgb(239, 239, 239)',
  boxShadow: 'inset 0 0 0 1px rgb(178, 178, 178)',
}

const pieceAt = (timeMs: number, accent: string): Record<string, string> => {
  const run = (timeMs % PERIOD_MS) / PERIOD_MS
  const place = run < 0.5 ? 2 * run : 2 - 2 * run
  return {
    ...ROUND,
    position: 'absolute',
    width: `${PIECE * 100}%`,
    height: '100%',
    left: `${place * (1 - PIECE) * 100}%`,
    background: accent === 'auto' ? SYSTEM_ACCENT : accent,
  }
}

interface Drawn {
  readonly host: StyleOverride
  readonly bar: StyleOverride
  readonly piece: StyleOverride
}

/** Creates the drawing; `startOf` returns the start of the timed element around one, in ms. */
export const createIndeterminate = (
  clock: Clock,
  realms: Iterable<Realm>,
  hiddenTrees: HiddenTrees,
  startOf: (element: Element) => number,
): Indeterminate => {
  const drawn = new Map<Element, Drawn>()

  const draw = (host: Element, tree: ShadowRoot): Drawn | undefined => {
    // Any other look is drawn from boxes that the page styles and animates itself.
    if (natives.getComputedStyle(host).appearance === 'none') return undefined
    const [, bar, piece] = tree.querySelectorAll('div')
    if (!bar || !piece) return undefined
    const overrides = {
      host: createStyleOverride(host),
      bar: createStyleOverride(bar),
      piece: createStyleOverride(piece),
    }
    overrides.host.set(HOST)
    overrides.bar.set(BAR)
    drawn.set(host, overrides)
    return overrides
  }
  const release = (host: Element) => {
    const overrides = drawn.get(host)
    drawn.delete(host)
    overrides?.host.cancel()
    overrides?.bar.cancel()
    overrides?.piece.cancel()
  }

  return {
    sync() {
      const trees = [...realms]
        .flatMap((realm) => hiddenTrees.treesOf(realm))
        .filter(({ host }) => host.matches('progress:indeterminate'))
      const shown = new Set(trees.map(({ host }) => host))
      for (const host of drawn.keys()) if (!shown.has(host)) release(host)
      for (const tree of trees) {
        const overrides = drawn.get(tree.host) ?? draw(tree.host, tree)
        const accent = natives.getComputedStyle(tree.host).accentColor
        overrides?.piece.set(pieceAt(Math.max(0, clock.nowMs - startOf(anchorOf(tree.host))), accent))
      }
    },
  }
}
