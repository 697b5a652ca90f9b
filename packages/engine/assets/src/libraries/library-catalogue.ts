/** A bundled library, and where its other versions keep the same files. */
export interface CataloguedLibrary {
  /** The answer to an address without a path, for a classic script: a path in the package, or a bundle of our build. */
  readonly main: string
  /** The same for an address that asks for an ES module. */
  readonly module: string
  /** Set where only a project brings it, whose version then answers for all of its major version. */
  readonly isProjectOnly?: true
  /** Its folder on cdnjs, and the folder of the package that is published there. */
  readonly cdnjs?: { readonly name: string; readonly below: string }
  /** Paths in other versions, and the same file's path in this one. */
  readonly moves?: readonly (readonly [from: RegExp, to: string])[]
}

/** Prefix of a path to a bundle that our build makes of the package. */
export const BUNDLED = 'bundled:'

/** The libraries whose addresses are answered, by package name: bundled ones, and GSAP where a project has installed it. */
export const CATALOGUE: Readonly<Record<string, CataloguedLibrary>> = {
  gsap: { main: 'dist/gsap.min.js', module: 'index.js', isProjectOnly: true, cdnjs: { name: 'gsap', below: 'dist' } },
  animejs: {
    main: 'dist/bundles/anime.umd.min.js',
    module: 'dist/bundles/anime.esm.min.js',
    cdnjs: { name: 'animejs', below: 'dist/bundles' },
    moves: [
      [/^(?:lib|dist\/bundles)\/anime\.(?:iife|umd)(\.min)?\.js$/, 'dist/bundles/anime.umd$1.js'],
      [/^lib\/anime\.esm(\.min)?\.js$/, 'dist/bundles/anime.esm$1.js'],
    ],
  },
  three: {
    main: `${BUNDLED}three.js`,
    module: 'build/three.module.js',
    cdnjs: { name: 'three.js', below: 'build' },
    moves: [
      [/^build\/three(?:\.min)?\.js$/, `${BUNDLED}three.js`],
      [/^build\/three\.(module|core|webgpu|tsl)\.min\.js$/, 'build/three.$1.js'],
    ],
  },
  'lottie-web': {
    main: 'build/player/lottie.min.js',
    module: 'build/player/esm/lottie.min.js',
    cdnjs: { name: 'bodymovin', below: 'build/player' },
    // Only the minified files come with vid.
    moves: [
      [/^build\/player\/bodymovin(?:\.min)?\.js$/, 'build/player/lottie.min.js'],
      [/^(build\/player\/\w+)\.js$/, '$1.min.js'],
    ],
  },
  '@vid/captions': { main: 'dist/element.js', module: 'dist/element.js' },
  '@lottiefiles/dotlottie-web': { main: 'dist/index.js', module: 'dist/index.js' },
  d3: {
    main: 'dist/d3.min.js',
    module: `${BUNDLED}d3.js`,
    cdnjs: { name: 'd3', below: 'dist' },
    // Its own modules import packages by bare names, which a page cannot resolve.
    moves: [
      [/^dist\/d3\.js$/, 'dist/d3.min.js'],
      [/^dist\/d3(?:\.min)?\.mjs$/, `${BUNDLED}d3.js`],
      [/^src\/index\.js$/, `${BUNDLED}d3.js`],
    ],
  },
}
