import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Processor time of the thread of the event loop, in milliseconds; a busy machine does not add to it. */
const loopMs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** A turn that is no delay for others, in milliseconds. */
const SHORT_MS = 100

/** How many turns for an ordinary page one for any other may take besides, on a machine that is slow for both. */
const SLOWER = 3

/** How often a text may be tried that is not short at first. */
const TRIES = 4

/** Data of which a copy takes a machine of ordinary speed this long, in milliseconds of processor time. */
const REFERENCE = Array.from({ length: 20_000 }, (_, n) => ({ id: `v${n}`, text: 'x'.repeat(n % 50) }))
const REFERENCE_MS = 25

/** How many times longer than an ordinary machine this one takes for the same work, at least 1. */
const slowness = (): number => {
  const copies = Array.from({ length: 3 }, () => {
    const before = loopMs()
    JSON.parse(JSON.stringify(REFERENCE))
    return loopMs() - before
  })
  return Math.max(1, Math.min(...copies) / REFERENCE_MS)
}

/** The most processor time of one turn of the event loop while work goes on, in milliseconds, and the result of the work. */
const longestTurnOf = async <T>(begin: () => Promise<T>): Promise<{ readonly turn: number; readonly result: T }> => {
  let last = loopMs()
  const work = begin()
  let isDone = false
  const end = () => {
    isDone = true
  }
  work.then(end, end)
  let longest = 0
  while (!isDone) {
    // A timer that is due is called in the next turn; one of no time would keep the processor from the work itself.
    await sleep(1)
    const now = loopMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  return { turn: longest, result: await work }
}

/**
 * Does work with the text of a stranger, and returns its result and the delay of others: by how many milliseconds its longest
 * turn of the event loop exceeds what is allowed. A turn that is not short is compared with one of the same work for an
 * `ordinary` text and with the speed of the machine, and the stranger's is measured again: a text that holds the loop holds
 * it each time.
 */
export const delayOf = async <T>(
  begin: () => Promise<T>,
  ordinary: () => Promise<unknown>,
): Promise<{ readonly delayMs: number; readonly result: T }> => {
  const { turn, result } = await longestTurnOf(begin)
  if (turn < SHORT_MS) return { delayMs: 0, result }
  const usual = await longestTurnOf(ordinary)
  const allowed = SHORT_MS * slowness() + SLOWER * usual.turn
  let least = turn
  for (let tries = 1; least > allowed && tries < TRIES; tries += 1)
    least = Math.min(least, (await longestTurnOf(begin)).turn)
  return { delayMs: Math.max(0, least - allowed), result }
}

/** A page that declares as many variables. */
const withVariables = (page: string, count: number) => {
  const declarations = Array.from({ length: count }, (_, n) => ({
    id: `v${n}`,
    type: 'string',
    label: '',
    default: '',
  }))
  return page.replace(/<html[^>]*>/, `<html data-composition-variables='${JSON.stringify(declarations)}'>`)
}

/** Texts that take a parser or a rule long, put into a page with an `<i>` in its root. */
export const hostilePages = (page: string): readonly (readonly [what: string, html: string])[] => {
  const inside = (content: string) => page.replace('<i ', `${content}<i `)
  const styled = (css: string) => inside(`<style>${css}</style>`)
  return [
    ['a number of 400,000 digits', page.replace(/data-duration="[^"]*"/, `data-duration="${'1'.repeat(400_000)}x"`)],
    ['an offset after 400,000 spaces', inside(`<p data-start="a${' '.repeat(400_000)}b">x</p>`)],
    ['a thousand thousand references', styled(`p { background: ${'url(a),'.repeat(160_000)} }`)],
    ['a font shorthand of brackets', styled(`p { font: 1px ${'calc('.repeat(100_000)} }`)],
    ['many findings', inside('<img src="missing.png" class="clip" data-start="x">'.repeat(5000))],
    ['many elements', inside('<p>x</p>'.repeat(100_000))],
    ['a template of many elements', inside(`<template>${'<p>x</p>'.repeat(100_000)}</template>`)],
    ['many timed elements', inside(`<template>${'<p data-start="0">x</p>'.repeat(60_000)}</template>`)],
    ['many attributes', inside(`<p ${Array.from({ length: 100_000 }, (_, n) => `a${n}`).join(' ')}></p>`)],
    ['many variables', withVariables(page, 9000)],
    ['many rules', styled('p{color:red}'.repeat(60_000))],
    ['elements in elements', inside('<b>'.repeat(100_000))],
    ['a script of many brackets', inside(`<script>${'a([{'.repeat(100_000)}</script>`)],
  ]
}
