/**
 * Folders whose patterns see only what a composition's own page shows to itself: that page may loop in any other way too,
 * and ends with its browser.
 */
export const PAGE_FOLDERS = [
  'packages/engine/runtime/src/page/',
  'packages/engine/player/src/',
  'packages/authoring/preview/src/page/',
]

const COMMAND_LINE = 'An argument of the command that its own user types, which systems keep short.'
const OPERATOR = 'Paths and sources of programs that the operator has installed.'

/** The checker counts the steps of a trial for these, and has no proof; `growth.test.ts` of the package times them. */
const TIMED =
  'Many alternatives at each place, each of bounded length; timed in packages/engine/core/src/growth.test.ts.'

/** Patterns that the checker does not take for safe, by how they are written, each with the reason why it may stay. */
export const EXCEPTIONS = new Map([
  [String(/^Unsupported option name \("([^=]*).*"\)/s), COMMAND_LINE],
  [String(/^Invalid option name \("([^=]*).*"\)/s), COMMAND_LINE],
  [String(/^(.+?):(\d+|html(?:\/.*)?|template(?:\/.*)?)$/), COMMAND_LINE],
  [String(/(?<=.)@.*$/), 'Names of packages that vid itself writes.'],
  [
    String(/cannot connect|is the docker daemon running|permission denied.*sock/i),
    'The last lines that a container engine has printed, of which little is kept.',
  ],
  [
    String(/x264 - core (\d+)(?: (r[^ ]+ [0-9a-f]+))?.*?options: ([^\0]*)/),
    'The first megabyte of a file that the encoder of the operator has written.',
  ],
  [
    String(
      /[\\/]node_modules[\\/](?:\.pnpm[\\/].*)?(?:jiti[\\/]|vite[\\/]dist[\\/]node[\\/]module-runner|vitest[\\/]dist[\\/]module-evaluator)/,
    ),
    OPERATOR,
  ],
  [
    String(
      /(?:from|import|require|URL|resolve)\s*(?:\(\s*)?(?:(?:\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*\n)\s*)*(['"`])([^'"`\n]+)\1/g,
    ),
    OPERATOR,
  ],
  [String(/'[^']*\.vid-[^'/]*\.new(?:\/[^']*)?'/g), 'The message of a failed system call, which holds two paths.'],
  [
    String(
      /\b(?:(?:text|inner|outer)(?:Content|Text|HTML)|nodeValue|wholeText|childNodes|(?:first|last)Child|(?:next|previous)Sibling|(?:clone|import|adopt)Node|\w*TreeWalker|\w*NodeIterator|XMLSerializer|getSelection|createRange|Range|XPath\w*|getHTML|getBoundingClientRect|getClientRects|getBBox|get\w*TextLength|getSubStringLength|getExtentOfChar|(?:offset|client|scroll|natural)(?:Width|Height|Left|Top)|elementsFromPoint|elementFromPoint|caret\w*|getComputedStyle|computedStyleMap|getProperty|measureText|(?:Resize|Mutation|Intersection|Performance)Observer|[sS]plit(?:Text|Type|ting)|Splitting|eval|Function|import|fetch|XMLHttpRequest|WebSocket|Worker|customElements|attachShadow|getAttribute\w*|attributes)\b|[.{,]\s*(?:text|html|data)\b|\\[ux]|document\s*\.\s*write/,
    ),
    TIMED,
  ],
  [
    String(
      /:has\(|\bcontents\b|anchor|plaintext|animation-timeline|\bscroll\(|\bview\(|@import|visibility(?:(?!visibility)[^;}])*!important/i,
    ),
    TIMED,
  ],
  [
    String(
      /(?:\bwindow\s*\.\s*)?\bhyperframesAnime\s*\??\.\s*register\s*(?:\?\.\s*)?\(\s*("[^"\n]*"|'[^'\n]*'|[\w$.]+)\s*,\s*([\w$.]+)\s*(?:,\s*(?:(?:[\w$.]+|\{(?:[^{}]|\{[^{}]*\})*\})\s*(?:,\s*)?)?)?\)/g,
    ),
    TIMED,
  ],
])
