import { galleryTests } from './fixtures/gallery.ts'

// One of each kind: captions, data, media, nested compositions, equal names, sound. All are in gallery.long.test.ts.
galleryTests([
  'examples/captions',
  'examples/year-in-numbers',
  'e2e/projects/media',
  'e2e/projects/nested-depth',
  'e2e/projects/same-names',
  'e2e/projects/attribute-sound',
])
