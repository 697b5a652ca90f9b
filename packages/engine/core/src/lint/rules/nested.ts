import { coreErrors } from '../../errors.ts'
import { spotAt } from '../element.ts'
import { example } from '../example.ts'
import type { LintHost, LintProject } from '../project/project.ts'
import type { LintRule, Spot } from '../rule.ts'

const embed = (src: string) => `<div data-composition-src="${src}" data-start="0"></div>`
const card = '<template>\n  <p>Hello</p>\n</template>\n'
const good = example({ body: embed('card.html') }, { 'card.html': card })

function* hostSpots(
  { hosts }: LintProject,
  outcome: LintHost['outcome'],
  text: (host: LintHost) => { readonly message: string; readonly hint: string },
): Generator<Spot> {
  for (const host of hosts) {
    if (host.outcome !== outcome) continue
    const { message, hint } = text(host)
    yield { ...spotAt(host.from, host.element, message, 'data-composition-src'), hint }
  }
}

/** Rules about files that a composition embeds. */
export const nestedRules: readonly LintRule[] = [
  {
    name: 'nested-missing',
    severity: 'error',
    what: 'A `data-composition-src` that refers to no readable file of the project.',
    why: 'The render stops with an error before the browser starts.',
    hint: 'Write the path of an HTML file, relative to the project folder or to the embedding file.',
    bad: example({ body: embed('cart.html') }, { 'card.html': card }),
    good,
    check: (project) =>
      hostSpots(project, 'missing', ({ place, src, tried }) => coreErrors.VID_NESTED_MISSING({ ...place, src, tried })),
  },
  {
    name: 'nested-empty',
    severity: 'error',
    what: 'A `data-composition-src` that refers to an empty file.',
    why: 'The render stops with an error before the browser starts.',
    hint: 'Put the composition into the <template> or the <body> of that file.',
    bad: example({ body: embed('card.html') }, { 'card.html': '<template>\n</template>\n' }),
    good,
    check: (project) => hostSpots(project, 'empty', ({ place, src }) => coreErrors.VID_NESTED_EMPTY({ ...place, src })),
  },
  {
    name: 'nested-cycle',
    severity: 'error',
    what: 'A file that embeds itself, directly or through other files.',
    why: 'The nesting would be infinite; the render stops with an error before the browser starts.',
    hint: 'Remove one data-composition-src of the cycle.',
    bad: example(
      { body: embed('card.html') },
      { 'card.html': `<template>\n  <p>Hello</p>\n  ${embed('card.html')}\n</template>\n` },
    ),
    good,
    check: (project) =>
      hostSpots(project, 'cycle', ({ place, chain }) => coreErrors.VID_NESTED_CYCLE({ ...place, chain })),
  },
]
