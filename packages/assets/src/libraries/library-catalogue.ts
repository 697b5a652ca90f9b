/** A library that is served from its installed package, and where older versions of it kept the same files. */
export interface CataloguedLibrary {
  /** What a bare address gives to a classic script; a path below the package, or of a bundle made by our build. */
  readonly main: string
  /** What an address that asks for an ES module gives. */
  readonly module: string
  /** Its folder on cdnjs, and what that folder holds, as a path below the package. */
  readonly cdnjs?: { readonly name: string; readonly below: string }
  /** Paths of other versions, and what they are here. */
  readonly moved?: readonly (readonly [from: RegExp, to: string])[]
}

/** Begins the path of a bundle that our own build makes of the package, below the build's folder. */
export const BUNDLED = 'bundled:'

/** The libraries on the shelf, by package name. */
export const CATALOGUE: Readonly<Record<string, CataloguedLibrary>> = {
  gsap: { main: 'dist/gsap.min.js', module: 'index.js', cdnjs: { name: 'gsap', below: 'dist' } },
  animejs: {
    main: 'dist/bundles/anime.umd.min.js',
    module: 'dist/bundles/anime.esm.min.js',
    cdnjs: { name: 'animejs', below: 'dist/bundles' },
    moved: [
      [/^(?:lib|dist\/bundles)\/anime\.(?:iife|umd)(\.min)?\.js$/, 'dist/bundles/anime.umd$1.js'],
      [/^lib\/anime\.esm(\.min)?\.js$/, 'dist/bundles/anime.esm$1.js'],
    ],
  },
  three: {
    main: `${BUNDLED}three.js`,
    module: 'build/three.module.js',
    cdnjs: { name: 'three.js', below: 'build' },
    moved: [
      [/^build\/three(?:\.min)?\.js$/, `${BUNDLED}three.js`],
      [/^build\/three\.(module|core|webgpu|tsl)\.min\.js$/, 'build/three.$1.js'],
    ],
  },
  'lottie-web': {
    main: 'build/player/lottie.min.js',
    module: 'build/player/esm/lottie.min.js',
    cdnjs: { name: 'bodymovin', below: 'build/player' },
    moved: [[/^build\/player\/bodymovin(\.min)?\.js$/, 'build/player/lottie$1.js']],
  },
  '@lottiefiles/dotlottie-web': { main: 'dist/index.js', module: 'dist/index.js' },
  d3: {
    main: 'dist/d3.min.js',
    module: `${BUNDLED}d3.js`,
    cdnjs: { name: 'd3', below: 'dist' },
    // Its own module files import packages by bare names, which no page can resolve.
    moved: [
      [/^dist\/d3(?:\.min)?\.mjs$/, `${BUNDLED}d3.js`],
      [/^src\/index\.js$/, `${BUNDLED}d3.js`],
    ],
  },
}
