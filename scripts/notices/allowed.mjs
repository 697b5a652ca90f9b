// Licences of what is shipped or installed with our packages: those that ask for no more than notices, and exceptions.

const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unlicense',
])

/** Packages under other licences, each with the reason why it may be installed, and the licences that it may have. */
export const EXCEPTIONS = [
  {
    names: /^@ff(?:mpeg|probe)-installer\//,
    // Started as programs of their own and linked with nothing; the notices say where their source is.
    licenses: ['GPLv3', 'GPL-3.0', 'LGPL-2.1', 'https://git.ffmpeg.org/gitweb/ffmpeg.git/blob_plain/HEAD:/LICENSE.md'],
  },
  {
    // What the tests of plugins run with: npm installs it beside @vid/testkit as a part of vitest, unchanged.
    names: /^lightningcss(?:-|$)/,
    licenses: ['MPL-2.0'],
  },
]

/** Whether an SPDX expression can be met with allowed licences: one side of each OR, both of each AND. */
export const isAllowed = (expression) => {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? []
  let index = 0
  const term = () => {
    const token = tokens[index++]
    if (token !== '(') return ALLOWED.has(token)
    const inner = either()
    index += 1
    return inner
  }
  const both = () => {
    let result = term()
    while (tokens[index] === 'AND') {
      index += 1
      result = term() && result
    }
    return result
  }
  const either = () => {
    let result = both()
    while (tokens[index] === 'OR') {
      index += 1
      result = both() || result
    }
    return result
  }
  const result = either()
  return result && index === tokens.length
}
