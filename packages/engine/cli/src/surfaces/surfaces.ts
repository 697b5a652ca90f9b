/** An optional package that adds commands. */
export interface CommandPackage {
  readonly package: string
  /** Its commands, by as many first words as identify them. */
  readonly words: readonly string[]
}

/** The packages of vid that add commands to this one; each exports them from `./commands`. */
export const surfaces: readonly CommandPackage[] = [
  { package: '@vid/analysis', words: ['timeline', 'beats', 'captions export', 'sheet', 'diff'] },
  { package: '@vid/edit', words: ['edit', 'comments'] },
  { package: '@vid/check', words: ['check'] },
  { package: '@vid/captions', words: ['captions import'] },
  { package: '@vid/speech', words: ['captions transcribe', 'captions speak'] },
  { package: '@vid/assistant', words: ['mcp', 'assistant'] },
  { package: '@vid/producer', words: ['producer'] },
  { package: '@vid/lambda', words: ['lambda'] },
  { package: '@vid/container', words: ['container'] },
  {
    package: '@vid/client',
    words: ['cloud render', 'cloud get', 'cloud list', 'cloud delete', 'auth', 'publish'],
  },
  {
    package: '@vid/cloud',
    words: [
      'cloud serve',
      'cloud doctor',
      'cloud backup',
      'cloud restore',
      'cloud accounts',
      'cloud keys',
      'cloud webhooks',
    ],
  },
]

/** One-line descriptions of the first words, for help. */
export const surfaceWords: Readonly<Record<string, string>> = {
  timeline: 'show the timeline of a composition: clips, animations, states and sound',
  beats: 'find the beats of a sound, as JSON that a composition can read',
  sheet: 'draw labelled stills of a composition on one sheet',
  diff: 'find the frames that differ between two versions of a composition',
  check: 'find what is wrong in a composition: text, contrast, picture, motion and sound',
  edit: 'change a composition: vid edit move, trim, split, text, style, undo and more',
  comments: 'comments on a composition, and what its open preview shows: vid comments list, add, answer, resolve',
  captions: 'read and write captions: vid captions import, export, transcribe, speak',
  mcp: 'give a coding assistant the tools of vid, by the Model Context Protocol',
  assistant: 'set up coding assistants for a project: vid assistant setup',
  producer: 'run a render server',
  lambda: 'render on AWS: vid lambda deploy, render, render-batch, progress, destroy',
  container: 'manage the container image of --docker: vid container build, info, shell',
  cloud: 'render on a hosted API, or run one: vid cloud render, get, list, delete, serve',
  auth: 'sign in to a hosted API: vid auth login, status, refresh, logout',
  publish: 'publish a composition on a page of a hosted API',
}

/** The surfaces with commands that start with a word. */
export const surfacesOf = (first: string): readonly CommandPackage[] =>
  surfaces.filter(({ words }) => words.some((word) => word.split(' ')[0] === first))
