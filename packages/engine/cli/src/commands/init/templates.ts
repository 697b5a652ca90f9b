/** What a project begins as: the name of a folder of `examples/`, and what is said about it. */
export interface Template {
  readonly about: string
  /** The format that it is made for, where it is not mp4. */
  readonly format?: string
  /** A file of rows that `--batch` reads, and the variable that names each video. */
  readonly batch?: { readonly file: string; readonly named: string }
}

/** Every template of `vid init`, by name. */
export const templates = {
  blank: { about: 'a title on a dark ground, to start from' },
  title: { about: 'the opening title of a video, over hills at dawn, in three shapes' },
  'lower-third': { about: 'name and role of a speaker, transparent', format: 'webm' },
  'product-teaser': { about: 'three scenes with footage, cut to the beats of music' },
  'data-chart': {
    about: 'a bar chart, one video for each row of a file',
    batch: { file: 'cities.json', named: 'city' },
  },
  captions: { about: 'a talk, upright, with captions in three languages' },
  'social-post': { about: 'a square announcement of shapes and large type' },
  'three-d': { about: 'a landscape of columns, drawn with three.js' },
  quotes: {
    about: 'a series of quotes in 4:5, one video for each',
    batch: { file: 'quotes.json', named: 'index' },
  },
  'kinetic-type': { about: 'a sentence, one word at a time, with GSAP' },
  'code-walk': { about: 'code that is typed, marked and run' },
  'year-in-numbers': { about: 'counters and a route, upright, for one person' },
  hello: { about: 'the example of the documentation: variables, canvas and GSAP' },
} as const satisfies Readonly<Record<string, Template>>

/** The name of a template. */
export type TemplateName = keyof typeof templates

/** The template that is used when none is named. */
export const DEFAULT_TEMPLATE: TemplateName = 'blank'
