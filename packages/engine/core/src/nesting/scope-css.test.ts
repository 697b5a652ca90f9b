import postcss from 'postcss'
import { describe, expect, it } from 'vitest'
import { scopeSheets } from './nested-styles.ts'

const BOX = ':where([data-vid-instance="i1"])'
const IN = ':where(:not([data-vid-instance="i1"] [data-vid-instance] *))'
const scoped = (css: string) => scopeSheets([postcss.parse(css)], 'i1').texts.join('\n')

describe('a selector of an embedded composition', () => {
  it.each([
    ['.a', `${BOX} .a${IN}`],
    ['#x > p + p', `${BOX} #x > p + p${IN}`],
    ['p::before', `${BOX} p${IN}::before`],
    ['p:after', `${BOX} p${IN}:after`],
    ['body', `${BOX}:not(vid-none)`],
    ['HTML', `${BOX}:not(vid-none)`],
    [':root', `${BOX}:not(.vid-none)`],
    ['body.dark .a', `${BOX}:not(vid-none).dark .a${IN}`],
    ['html body .a', `${BOX}:not(vid-none) .a${IN}`],
    ['html > body', `${BOX}:not(vid-none)`],
    ['a, b', `${BOX} a${IN}, ${BOX} b${IN}`],
    [':is(body .a, .b)', `${BOX} :is(${BOX}:not(vid-none) .a, .b)${IN}`],
    ['*', `${BOX} *${IN}`],
  ])('%s is scoped to its instance', (selector, expected) => {
    expect(scoped(`${selector} { top: 0 }`).replaceAll(/\s+/g, ' ')).toBe(`${expected} { top: 0 }`)
  })

  it.each([
    ['@scope (.s) { p { top: 0 } }', `@scope (${BOX} .s${IN}) { p${IN} { top: 0 } }`],
    [
      '@scope (.s:not(.t), .u) to (.w) { :scope > p { top: 0 } }',
      `@scope (${BOX} .s:not(.t)${IN}, ${BOX} .u${IN}) to (.w) { :scope > p${IN} { top: 0 } }`,
    ],
    ['@scope { .own { top: 0 } }', `@scope([data-vid-instance="i1"]) { .own${IN} { top: 0 } }`],
    ['@scope to (.w) { p { top: 0 } }', `@scope ([data-vid-instance="i1"]) to (.w) { p${IN} { top: 0 } }`],
  ])('is relative to the root of its @scope, which is in the instance: %s', (css, expected) => {
    expect(scoped(css).replaceAll(/\s+/g, ' ')).toBe(expected)
  })

  it('is scoped inside a condition; of nested rules only the outer one is scoped', () => {
    expect(scoped('@media (min-width: 1px) { .a { & .b { top: 0 } } }')).toBe(
      `@media (min-width: 1px) { ${BOX} .a${IN} { & .b { top: 0 } } }`,
    )
  })
})

describe('keyframes of an embedded composition', () => {
  it('are renamed with every use of their name', () => {
    expect(
      scoped(
        '@keyframes in { from { top: 0 } } @-webkit-keyframes "out" { to { top: 0 } } .a { animation: in 1s ease-in, out 2s; animation-name: other, in }',
      ),
    ).toBe(
      `@keyframes in-i1 { from { top: 0 } } @-webkit-keyframes "out-i1" { to { top: 0 } } ${BOX} .a${IN} { animation: in-i1 1s ease-in, out-i1 2s; animation-name: other, in-i1 }`,
    )
  })

  it('are renamed in inline styles too', () => {
    const { renameInline } = scopeSheets([postcss.parse('@keyframes spin { to { rotate: 1turn } }')], 'i1')
    expect(renameInline('animation: spin 2s; color: red')).toBe('animation: spin-i1 2s; color: red')
  })
})
