import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Processor time of the thread of the event loop, in milliseconds; a busy machine does not add to it. */
const loopMs = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** The longest turn that is no delay for others, in milliseconds. */
export const MAX_TURN_MS = 100

const MAX_ATTEMPTS = 3

const measure = async (work: Promise<unknown>): Promise<number> => {
  let isDone = false
  const end = () => {
    isDone = true
  }
  work.then(end, end)
  let longest = 0
  for (let last = loopMs(); !isDone; ) {
    await nextTurn()
    const now = loopMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  return longest
}

/**
 * The most processor time of one turn of the event loop while work goes on, in milliseconds, and the result of the work. A
 * text that holds the loop does so each time; what else a process does in a turn, such as collecting garbage, it does once: so
 * the least of several attempts counts.
 */
export const longestTurnOf = async <T>(
  begin: () => Promise<T>,
): Promise<{ readonly turn: number; readonly result: T }> => {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 1; ; attempt++) {
    const work = begin()
    least = Math.min(least, await measure(work))
    const result = await work
    if (least < MAX_TURN_MS || attempt === MAX_ATTEMPTS) return { turn: least, result }
  }
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
