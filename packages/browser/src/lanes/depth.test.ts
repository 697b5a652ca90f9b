import { expect, test } from 'vitest'
import { findDepth } from './depth.ts'

test('the source text shows a 3D transform, but is not searched where it contains a library', () => {
  expect(findDepth('<style>b { transform: rotateY(9deg) }</style>')).toBe('the page uses rotateY')
  expect(findDepth('<script>gsap.to(b, { rotationX: 90 })</script>')).toBe('the page uses rotationX')
  expect(findDepth(`<script>/* rotationX ${'-'.repeat(40_000)} */</script>`)).toBeUndefined()
  expect(findDepth('<b style="transform: rotate(9deg) translate3d(1px, 2px, 0)"></b>')).toBeUndefined()
})
