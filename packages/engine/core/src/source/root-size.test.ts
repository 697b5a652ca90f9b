import { expect, test } from 'vitest'
import { extractCompositionMetadata, withRootSize } from '../index.ts'

const tall = { width: 1080, height: 1920 }

test.each([
  [
    'in a page, with other attributes and other compositions around',
    `<!doctype html>\n<body><!-- data-width="1" -->\n<div\n  id='a' data-height='90' title="data-width='5'" data-width = 160 data-composition-id="main"><p data-composition-id="b" data-width="3" data-height="4"></p></div>`,
    `<!doctype html>\n<body><!-- data-width="1" -->\n<div\n  id='a' data-height='1920' title="data-width='5'" data-width = 1080 data-composition-id="main"><p data-composition-id="b" data-width="3" data-height="4"></p></div>`,
  ],
  [
    'on the html element',
    `<html DATA-WIDTH="160" data-height="90" data-composition-id="main"><body></body></html>`,
    `<html DATA-WIDTH="1080" data-height="1920" data-composition-id="main"><body></body></html>`,
  ],
  [
    'inside a template',
    `<template><div data-composition-id="main" data-width="160" data-height="90"></div></template>`,
    `<template><div data-composition-id="main" data-width="1080" data-height="1920"></div></template>`,
  ],
  [
    'without the attributes',
    `<section data-composition-id="main">é</section>`,
    `<section data-composition-id="main" data-width="1080" data-height="1920">é</section>`,
  ],
  [
    'after characters of several bytes and line ends of Windows',
    `<p>𝄞é</p>\r\n<div data-composition-id="main" data-width="160"\r\n data-height="90"></div>`,
    `<p>𝄞é</p>\r\n<div data-composition-id="main" data-width="1080"\r\n data-height="1920"></div>`,
  ],
])('the size of a root %s is written in its place, and nothing else changes', (_title, html, expected) => {
  const sized = withRootSize(html, tall) ?? ''
  expect(extractCompositionMetadata(sized)).toMatchObject(tall)
  expect(sized).toBe(expected)
})

test('a text without a root has no size', () => {
  expect(withRootSize('<p data-width="3">no</p>', tall)).toBe(undefined)
})
