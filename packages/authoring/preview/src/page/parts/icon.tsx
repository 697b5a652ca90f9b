/** Drawn in a square of 16 by 16; filled unless they begin with `line:`. */
const SHAPES = {
  play: 'M4 2.6v10.8a.6.6 0 0 0 .92.5l8.4-5.4a.6.6 0 0 0 0-1L4.92 2.1A.6.6 0 0 0 4 2.6Z',
  pause: 'M4 2h2.6v12H4zM9.4 2H12v12H9.4z',
  start: 'M3 3h1.6v10H3zM13 3.5v9L6 8z',
  end: 'M11.4 3H13v10h-1.6zM3 3.5v9L10 8z',
  stepBack: 'M10.5 3v10L4 8zM11.8 3h1.2v10h-1.2z',
  stepForward: 'M5.500 3v10L12 8zM3 3h1.2v10H3z',
  loop: 'line:M3 7V6a2 2 0 0 1 2-2h8m0 0-2-2m2 2-2 2M13 9v1a2 2 0 0 1-2 2H3m0 0 2 2m-2-2 2-2',
  sound:
    'line:M2.500 6.200v3.600h2.300L8 12.500v-9L4.800 6.200zM10.500 5.500a3.500 3.500 0 0 1 0 5M12.500 3.600a6.200 6.200 0 0 1 0 8.800',
  muted: 'line:M2.500 6.200v3.600h2.300L8 12.500v-9L4.800 6.200zM10.800 6.300l3.400 3.400m0-3.400-3.400 3.400',
  full: 'line:M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10',
  in: 'line:M6.500 2.500H4v11h2.500M7.500 8h5m0 0-2-2m2 2-2 2',
  out: 'line:M9.500 2.500H12v11H9.500M8.500 8h-5m0 0 2-2m-2 2 2 2',
  clear: 'line:M4 4l8 8m0-8-8 8',
  reset: 'line:M3 3v3.500h3.500M3.400 6.300A5 5 0 1 1 3 9.500',
  fold: 'line:M6 4l4 4-4 4',
  unfold: 'line:M4 6l4 4 4-4',
  code: 'line:M5.500 4.500 2 8l3.500 3.500m5-7L14 8l-3.500 3.500',
  grid: 'line:M2.500 2.500h11v11h-11zM6.200 2.500v11m3.600-11v11M2.500 6.200h11m-11 3.600h11',
  safe: 'line:M1.500 3h13v10h-13zM4 5.200h8v5.600H4z',
  checks: 'M2 2h4v4H2zM10 2h4v4h-4zM6 6h4v4H6zM2 10h4v4H2zM10 10h4v4h-4z',
  exact:
    'line:M2 8s2.200-4.200 6-4.200S14 8 14 8s-2.200 4.200-6 4.200S2 8 2 8zM8 6.200a1.800 1.800 0 1 1 0 3.600 1.800 1.800 0 0 1 0-3.600z',
  before: 'line:M3.500 3v4h4M3.800 6.800A5 5 0 1 1 4.500 11.500M8 5.500V8.500l2 1.200',
  keys: 'line:M1.500 4h13v8h-13zM4 6.500h.5m2.500 0h.5m2.500 0h.5m1.500 0h.5M5 9.500h6',
  theme: 'M8 1.500a6.500 6.500 0 1 0 0 13a6.500 6.500 0 0 0 0-13zm0 1.400v10.200a5.100 5.100 0 0 1 0-10.200z',
  undo: 'line:M3.500 3v4h4M3.800 6.800A5 5 0 1 1 4.500 11.500',
  redo: 'line:M12.500 3v4h-4M12.200 6.800A5 5 0 1 0 11.500 11.500',
  add: 'line:M8 3v10M3 8h10',
  split: 'line:M8 2v12M5.500 5H2.500v6h3M10.500 5h3v6h-3',
  duplicate: 'line:M5.500 5.500h8v8h-8zM10.500 3v-.500h-8v8H3',
  remove: 'line:M2.500 4.500h11M6 4.500v-2h4v2M4 4.500l.700 9h6.600l.700-9M6.800 7v4M9.200 7v4',
  snap: 'line:M3 2.500h3V8a2 2 0 0 0 4 0V2.500h3V8A5 5 0 0 1 3 8zM3 5.500h3M10 5.500h3',
  keep: 'line:M3 8.500 6.500 12 13 4.500',
  previous: 'line:M10 3 5 8l5 5',
  next: 'line:M6 3l5 5-5 5',
  element: 'line:M3.5 2.5l9 5.2-4 1-1.8 3.8z',
  changes: 'line:M8 2.5v6M5 5.5h6M5 12.5h6',
  comments: 'line:M2.5 3h11v7.5h-6l-3 3v-3h-2z',
  variables:
    'line:M2.5 5h5M11 5h2.5M2.5 11H5M8.5 11h5M7.5 5a1.750 1.750 0 1 0 3.5 0a1.750 1.750 0 1 0-3.5 0M5 11a1.750 1.750 0 1 0 3.5 0a1.750 1.750 0 1 0-3.5 0',
  problems: 'line:M8 2.5 14 13H2zM8 6.5v3M8 11v.5',
  render: 'line:M2 3.5h12v9H2zM6.5 6v4L10 8z',
  compositions: 'line:M2 3.5h4.5L8 5.5h6v7H2z',
} as const

/** The name of a drawing. */
export type IconName = keyof typeof SHAPES

/** A small drawing; what it means is said by the name of the control around it. */
export const Icon = ({ name }: { readonly name: IconName }) => {
  const shape = SHAPES[name]
  const isLine = shape.startsWith('line:')
  return (
    <svg class={isLine ? 'icon line' : 'icon'} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={shape.replace('line:', '')} />
    </svg>
  )
}
