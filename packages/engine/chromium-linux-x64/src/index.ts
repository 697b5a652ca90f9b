import { fileURLToPath } from 'node:url'

/**
 * Absolute folder of the archives: `chromium.br` (the program), `al2023.tar.br` (libraries that it needs) and
 * `swiftshader.tar.br` (its software renderer for WebGL). Resolves to the same place from sources and from the build.
 */
export const archives: string = fileURLToPath(new URL('../dist/archives', import.meta.url))
