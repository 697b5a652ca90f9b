/** A package that brings commands of its own, which is installed by those who use them. */
export interface Surface {
  readonly package: string
  /** The commands that it brings, by as many of their first words as tell them from others. */
  readonly words: readonly string[]
}

/** The packages of vid that bring commands, besides this one; each exports them from `./commands`. */
export const surfaces: readonly Surface[] = [
  { package: '@vid/film', words: ['timeline'] },
  { package: '@vid/compare', words: ['sheet', 'diff'] },
  { package: '@vid/check', words: ['check'] },
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

/** What the first words of surfaces are about. */
export const surfaceWords: Readonly<Record<string, string>> = {
  timeline: 'show what is in a film, and when',
  sheet: 'see a film on one page: labelled stills of its states',
  diff: 'find the frames that differ between two states of a film, and prove that no other does',
  check: 'find what is wrong in a film: text, contrast, picture, motion and sound',
  producer: 'run a render server',
  lambda: 'render on AWS: vid lambda deploy, render, render-batch, progress, destroy',
  container: 'what --docker renders in: vid container build, info, shell',
  cloud: 'render on a hosted API, or run one: vid cloud render, get, list, delete, serve',
  auth: 'sign in at a hosted API: vid auth login, status, refresh, logout',
  publish: 'show a composition on a page of a hosted API',
}

/** The surfaces that bring commands of a first word. */
export const surfacesOf = (first: string): readonly Surface[] =>
  surfaces.filter(({ words }) => words.some((word) => word.split(' ')[0] === first))
