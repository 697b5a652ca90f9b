import type { CompositionElement, CompositionFacts, CompositionText } from '@vid/kernel'

/** An element with what a test says of it. */
const element = (facts: Partial<CompositionElement>): CompositionElement => ({
  selector: '#title',
  tag: 'h1',
  text: 'Title',
  file: 'index.html',
  line: 1,
  clip: null,
  ...facts,
})

const text = (facts: Partial<CompositionText>): CompositionText => ({
  element: 0,
  block: 0,
  frames: [0, 60],
  text: 'Title',
  lines: [{ x: 100, y: 100, width: 200, height: 48 }],
  ink: [0.2, 0.8],
  visible: { x: 100, y: 100, width: 200, height: 48 },
  clippedBy: null,
  spill: 0,
  spillsFrom: null,
  fontSize: facts.fontSize ?? 40,
  styledSize: facts.fontSize ?? 40,
  move: { x: 1, y: 1 },
  isBold: false,
  opacity: 1,
  isStill: true,
  covered: 0,
  coveredBy: null,
  isCoverSure: false,
  missingFamily: null,
  ...facts,
})

/** Parts of a composition that a test is about; elements and texts may leave out what does not matter. */
type Parts = Partial<Omit<CompositionFacts, 'elements' | 'texts'>> & {
  readonly elements?: readonly Partial<CompositionElement>[]
  readonly texts?: readonly Partial<CompositionText>[]
}

/** The facts of a composition of two seconds, 640 x 360 at 30 fps, with what a test is about: what checks are tried with. */
export const compositionFacts = ({ elements = [{}], texts = [], ...facts }: Parts = {}): CompositionFacts => ({
  width: 640,
  height: 360,
  fps: 30,
  frames: 60,
  duration: 2,
  elements: elements.map(element),
  clips: [],
  motions: [],
  texts: texts.map(text),
  contrasts: [],
  images: [],
  paths: [],
  states: [{ frames: [0, 60], isMoving: true }],
  grid: { columns: 1, rows: 1 },
  pictures: [{ frame: 0, flat: null, luminance: [0.5], red: [0] }],
  media: [],
  sources: [],
  captions: [],
  sound: null,
  problems: [],
  timings: [],
  source: [],
  ...facts,
})
