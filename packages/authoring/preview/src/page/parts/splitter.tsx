import type { Signal } from '@preact/signals'
import type { Resizable } from '../state/panels.ts'
import { Icon } from './icon.tsx'

/** CSS pixels; a larger part would leave no room for the picture. */
const SIZES = { min: 120, step: 24 } as const

const limit = (size: number, room: number) => Math.round(Math.max(SIZES.min, Math.min(size, Math.max(SIZES.min, room))))

/** The edge before a part of the page: dragging or arrow keys resize the part, the button folds it. */
export const Splitter = ({
  part,
  name,
  direction,
}: {
  readonly part: Signal<Resizable>
  readonly name: string
  /** `column` for an edge between columns, which moves sideways. */
  readonly direction: 'row' | 'column'
}) => {
  const { size, isFolded } = part.value
  const isColumn = direction === 'column'
  const resize = (to: number) => {
    const room = isColumn ? innerWidth - 400 : innerHeight - 260
    part.value = { size: limit(to, room), isFolded: false }
  }
  const sizeNow = (handle: Element) => {
    const box = handle.closest('.splitter')?.nextElementSibling?.getBoundingClientRect()
    return (isColumn ? box?.width : box?.height) ?? 0
  }
  const press = (event: KeyboardEvent & { readonly currentTarget: Element }) => {
    const steps = { ArrowUp: 1, ArrowLeft: 1, ArrowDown: -1, ArrowRight: -1 }[event.key]
    if (steps === undefined) return
    event.preventDefault()
    resize(sizeNow(event.currentTarget) + steps * SIZES.step)
  }
  const drag = (event: PointerEvent & { readonly currentTarget: Element }) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const box = event.currentTarget.closest('.splitter')?.nextElementSibling?.getBoundingClientRect()
    if (box) resize(isColumn ? box.right - event.clientX : box.bottom - event.clientY)
  }
  return (
    <div class={`splitter ${direction}`}>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved */}
      <div
        role="separator"
        aria-label={`Size of ${name}`}
        aria-orientation={isColumn ? 'vertical' : 'horizontal'}
        aria-valuenow={size ?? SIZES.min}
        aria-valuemin={SIZES.min}
        tabIndex={0}
        onKeyDown={press}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onDblClick={() => {
          part.value = { size: null, isFolded: false }
        }}
      />
      <button
        type="button"
        class="splitter-fold"
        aria-label={isFolded ? `Show ${name}` : `Hide ${name}`}
        aria-expanded={!isFolded}
        onClick={() => {
          part.value = { size, isFolded: !isFolded }
        }}
      >
        <Icon name={isColumn ? (isFolded ? 'previous' : 'next') : isFolded ? 'fold' : 'unfold'} />
      </button>
    </div>
  )
}
