import { type Adjustments, type Grading, saturationMatrix, toneOf } from '../../grading/grading.ts'

const SVG = 'http://www.w3.org/2000/svg'

type Attributes = Readonly<Record<string, string | number>>

/** Creates an SVG element of a document, which may be that of a frame. */
const createElement = (document: Document, name: string, attributes: Attributes, children: Element[] = []): Element => {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  element.append(...children)
  return element
}

/** One value for each of the 256 values of a channel. */
const tableOf = (adjust: Adjustments, channel: 0 | 1 | 2): string =>
  Array.from({ length: 256 }, (_, value) => toneOf(adjust, channel, value / 255).toFixed(6)).join(' ')

const matrixOf = (amount: number): string =>
  `${saturationMatrix(amount)
    .map((weights) => `${weights.map((weight) => weight.toFixed(6)).join(' ')} 0 0`)
    .join(' ')} 0 0 0 1 0`

/** Shows one channel in all three. */
const channelMatrix = (channel: number): string =>
  `${`${[0, 1, 2].map((column) => (column === channel ? 1 : 0)).join(' ')} 0 0 `.repeat(3)}0 0 0 0 1`

const OPAQUE = '1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 0 1'

/** `gradeColour` as an SVG filter, without the steps that would change nothing. */
export const createGradingFilter = (document: Document, id: string, grading: Grading): Element => {
  const { adjust, intensity } = grading
  const step = (name: string, attributes: Attributes, children: Element[] = []) =>
    createElement(document, name, attributes, children)
  const matrix = (input: string, values: string, result: string) =>
    step('feColorMatrix', { in: input, type: 'matrix', values, result })
  const blend = (mode: string, input: string, other: string, result: string) =>
    step('feBlend', { mode, in: input, in2: other, result })
  const sum = (input: string, other: string, k2: number, k3: number, result: string) =>
    step('feComposite', { operator: 'arithmetic', in: input, in2: other, k1: 0, k2, k3, k4: 0, result })

  const tables = (['R', 'G', 'B'] as const).map((name, channel) =>
    step(`feFunc${name}`, { type: 'table', tableValues: tableOf(adjust, channel as 0 | 1 | 2) }),
  )
  const steps = [step('feComponentTransfer', { in: 'SourceGraphic', result: 'graded' }, tables)]
  if (adjust.saturation !== 0) steps.push(matrix('graded', matrixOf(1 + adjust.saturation), 'graded'))
  if (adjust.vibrance !== 0)
    steps.push(
      // Blending needs opaque pictures: translucent ones would show through each other.
      matrix('graded', OPAQUE, 'plain'),
      ...[0, 1, 2].map((channel) => matrix('plain', channelMatrix(channel), `channel${channel}`)),
      blend('lighten', 'channel0', 'channel1', 'most'),
      blend('lighten', 'most', 'channel2', 'most'),
      blend('darken', 'channel0', 'channel1', 'least'),
      blend('darken', 'least', 'channel2', 'least'),
      blend('difference', 'most', 'least', 'spread'),
      step(
        'feComponentTransfer',
        { in: 'spread', result: 'rest' },
        ['R', 'G', 'B'].map((name) => step(`feFunc${name}`, { type: 'table', tableValues: '1 0' })),
      ),
      matrix('plain', matrixOf(1 + adjust.vibrance), 'vivid'),
      blend('multiply', 'vivid', 'rest', 'vivid'),
      blend('multiply', 'plain', 'spread', 'plain'),
      sum('vivid', 'plain', 1, 1, 'graded'),
      step('feComposite', { operator: 'in', in: 'graded', in2: 'SourceGraphic', result: 'graded' }),
    )
  if (intensity < 1) steps.push(sum('graded', 'SourceGraphic', intensity, 1 - intensity, 'graded'))
  const area = { x: 0, y: 0, width: 1, height: 1, 'color-interpolation-filters': 'sRGB' }
  return createElement(document, 'filter', { id, ...area }, steps)
}
