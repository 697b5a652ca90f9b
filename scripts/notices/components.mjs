// Works of others in our packages, the image and the function that no manifest of npm describes.

/** A program's version is read from the package that installs it: a new version stops the build until its facts are checked. */
const CHROMIUM = '153.0.0'
const FFMPEG = '20181210-g0e8eb07980'
const FFPROBE = '20230721-c2b3861'

const CHROMIUM_NOTE = `Chromium contains many libraries under licences of their own, most of them permissive. They are listed
with their texts at chrome://credits of any Chrome of the same version, and in the files named
README.chromium below third_party in its source.`

const FFMPEG_NOTE = `A static build by John Van Sickle, unchanged, installed by npm as a package of its own and started as a
program of its own: no part of vid is linked with it. The build enables parts that are licensed under the
GNU General Public License (among them libx264, libx265, libxvid, frei0r, librubberband and libvidstab) and
version 3 of it, so the whole program is under GPL-3.0. You may run any other ffmpeg instead: set
VID_FFMPEG_PATH and VID_FFPROBE_PATH. The further libraries of the build, under LGPL, BSD, MIT, Apache-2.0
or similar licences: fontconfig, FreeType, FriBidi, GnuTLS, libaom, libass, LAME, OpenCORE AMR, OpenJPEG,
Opus, SoX Resampler, Speex, Theora, libvmaf, vo-amrwbenc, Vorbis, libvpx, libwebp, libxml2 and zimg.
"ffmpeg -buildconf" prints all of them.`

/** Programs and their parts, by the package of the workspace that carries or installs them. */
export const PROGRAMS = {
  'packages/engine/chromium-linux-x64': [
    {
      name: 'Chromium (headless_shell)',
      library: '@sparticuz/chromium',
      expected: CHROMIUM,
      version: '153.0.8010.0',
      license: 'BSD-3-Clause',
      source: 'https://chromium.googlesource.com/chromium/src/+/refs/tags/153.0.8010.0',
      text: 'Chromium.txt',
      note: CHROMIUM_NOTE,
    },
    {
      name: 'ANGLE (libEGL.so, libGLESv2.so)',
      version: 'of Chromium 153.0.8010.0',
      license: 'BSD-3-Clause',
      source: 'https://chromium.googlesource.com/angle/angle',
      text: 'Chromium.txt',
      copyright: ['Copyright 2018 The ANGLE Project Authors.'],
    },
    {
      name: 'SwiftShader (libvk_swiftshader.so)',
      version: 'of Chromium 153.0.8010.0',
      license: 'Apache-2.0',
      source: 'https://swiftshader.googlesource.com/SwiftShader',
      text: 'Apache-2.0.txt',
    },
    {
      name: 'Vulkan Loader (libvulkan.so.1)',
      version: 'of Chromium 153.0.8010.0',
      license: 'Apache-2.0',
      source: 'https://github.com/KhronosGroup/Vulkan-Loader',
      text: 'Apache-2.0.txt',
    },
    {
      name: 'NSS and NSPR (libnss3, libnssutil3, libsoftokn3, libfreebl3, libfreeblpriv3, libnspr4, libplc4, libplds4)',
      version: 'of Amazon Linux 2023',
      license: 'MPL-2.0',
      source: 'https://hg.mozilla.org/projects/nss and https://hg.mozilla.org/projects/nspr',
      text: 'MPL-2.0.txt',
    },
    {
      name: 'Expat (libexpat.so.1)',
      version: 'of Amazon Linux 2023',
      license: 'MIT',
      source: 'https://github.com/libexpat/libexpat',
      text: 'MIT.txt',
      copyright: [
        'Copyright (c) 1998-2000 Thai Open Source Software Center Ltd and Clark Cooper',
        'Copyright (c) 2001-2025 Expat maintainers',
      ],
    },
  ],
  'packages/engine/ffmpeg': [
    {
      name: 'FFmpeg (ffmpeg)',
      library: '@ffmpeg-installer/linux-x64',
      field: 'ffmpeg',
      expected: FFMPEG,
      version: 'git 0e8eb07980 of 2018-12-10',
      license: 'GPL-3.0-or-later',
      source:
        'https://git.ffmpeg.org/ffmpeg.git, commit 0e8eb07980; the libraries and how they are built: https://johnvansickle.com/ffmpeg/',
      text: 'GPL-3.0.txt',
      note: FFMPEG_NOTE,
    },
    {
      name: 'FFmpeg (ffprobe)',
      library: '@ffprobe-installer/linux-x64',
      field: 'ffprobe',
      expected: FFPROBE,
      version: 'git c2b38619c0 of 2023-07-21',
      license: 'GPL-3.0-or-later',
      source:
        'https://git.ffmpeg.org/ffmpeg.git, commit c2b38619c0; the libraries and how they are built: https://johnvansickle.com/ffmpeg/',
      text: 'GPL-3.0.txt',
      note: `As ffmpeg above; besides, it contains dav1d, GMP, libgme, SRT and ZVBI.`,
    },
  ],
}

/** Packages of fonts: what they install is drawn with, though no code of theirs is bundled. */
export const FONT_PACKAGE = /^@(?:expo-google-fonts|fontsource|fontsource-variable)\//

/** Libraries that the published files of another one contain, by its name. */
export const INSIDE = {
  'd3-array': ['internmap'],
  'd3-delaunay': ['delaunator', 'robust-predicates'],
}

/** Works inside a library's files that are installed nowhere by themselves, by the library's name. */
export const NOTES = {
  '@lottiefiles/dotlottie-web': 'Its WebAssembly contains dotlottie-rs and ThorVG, both under the MIT licence.',
  three: `Its examples/jsm/libs contains, under the MIT licence: fflate, ktx-parse, lil-gui, meshoptimizer,
motion-controllers, stats.js, tween.js, UTIF.js and zstddec (with Zstandard, BSD-3-Clause); under Apache-2.0:
Basis Universal, Chevrotain and Draco; potpack (ISC); mikktspace (zlib). Those that carry a notice keep it in
their files.`,
}

/** Standard texts of works that `NOTES` names. */
export const NOTED_TEXTS = {
  three: ['Apache-2.0.txt'],
}

/** Who holds the copyright in libraries that are published without a file of their licence, as they state it elsewhere. */
export const COPYRIGHTS = {
  clipanion: ['Copyright © 2019 Mael Nison'],
  'puppeteer-core': ['Copyright 2017 Google Inc.'],
  typanion: ['Copyright © 2020 Mael Nison'],
}
