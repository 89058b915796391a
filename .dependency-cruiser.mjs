const forbid = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })
const TESTS = '\\.test\\.tsx?$'
const path = (...roots) => ({ path: roots.map((root) => `^${root}`) })
const BELOW_FEATURES =
  'clickhouse|config|crowds|files|http|identifiers|ingest|jobs|network|platforms|postgres|reports|storage|stores|time'

/** The direction of imports, as docs/architecture.md draws it. */
export default {
  forbidden: [
    forbid(
      'no-circular',
      'If two files import each other, join them or move what both need to a third file.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    forbid(
      'no-unresolvable',
      'An import that resolves to nothing.',
      {},
      { couldNotResolve: true, pathNot: '^virtual:|\\?(raw|url|worker)$' },
    ),
    forbid(
      'contract-alone',
      'The contract depends on zod alone.',
      { path: '^contract/', pathNot: [TESTS, '^contract/targeting/testing\\.ts$'] },
      { pathNot: ['^contract/', '^node_modules/zod/'] },
    ),
    forbid(
      'server-not-web',
      'The server knows nothing of the web app.',
      path('server/', 'sandbox/'),
      path('web/', 'cli/', 'e2e/', 'bench/', 'scripts/'),
    ),
    forbid(
      'web-not-server',
      'The web app meets the server in the contract.',
      path('web/'),
      path('server/', 'cli/', 'sandbox/', 'e2e/', 'bench/', 'scripts/'),
    ),
    forbid(
      'sandbox-alone',
      "The stand-ins know the platforms' HTTP contracts, not our server.",
      path('sandbox/'),
      path('server/', 'contract/'),
    ),
    forbid(
      'sandbox-by-url',
      'The server speaks to the stand-ins as to the platforms; only tests start them themselves.',
      { path: '^(server|cli|contract|web)/', pathNot: [TESTS, '^server/testing/'] },
      { path: '^sandbox/' },
    ),
    forbid(
      'features-apart',
      'app.ts joins features; what several share moves down.',
      { path: '^server/features/([^/]+)/', pathNot: TESTS },
      { path: '^server/features/', pathNot: '^server/features/($1|audience)/' },
    ),
    forbid(
      'audiences-of-crowds',
      'Crowds and their pushes know the audience; nothing else does.',
      { path: '^server/features/', pathNot: [TESTS, '^server/features/(audience|push|custom-crowd|rule-crowd)/'] },
      { path: '^server/features/audience/' },
    ),
    forbid(
      'features-below-app',
      'Features do not reach up to what joins them.',
      {
        path: `^server/(features|${BELOW_FEATURES})/`,
        pathNot: TESTS,
      },
      {
        path: '^server/(main|app|services)\\.ts$|^server/process/(start|runtime|cli-socket)\\.ts$|^server/(commands|testing)/',
      },
    ),
    forbid(
      'stores-below-features',
      'What features share knows no feature.',
      {
        path: `^server/(${BELOW_FEATURES})/`,
        pathNot: TESTS,
      },
      { path: '^server/features/' },
    ),
    forbid(
      'files-alone',
      'Readers of files know neither imports nor crowds.',
      { path: '^server/files/', pathNot: TESTS },
      { path: '^server/(ingest|identifiers|jobs|postgres|http)/' },
    ),
    forbid(
      'identifiers-below-ingest',
      'Imports store identifiers; identifiers know no import.',
      { path: '^server/identifiers/', pathNot: TESTS },
      { path: '^server/ingest/' },
    ),
    forbid(
      'reading-before-storing',
      'Rows are read, then stored.',
      { path: '^server/ingest/reading/', pathNot: TESTS },
      { path: '^server/ingest/storing/' },
    ),
    forbid(
      'fastify-in-http',
      'Only server/http and the composition know Fastify.',
      {
        path: '^(server|cli|sandbox|bench)/',
        pathNot: ['^server/http/', '^server/(app|main)\\.ts$', '^sandbox/', '^server/testing/', TESTS],
      },
      { path: '^node_modules/(fastify|@fastify|fastify-type-provider-zod)/' },
    ),
    forbid(
      'web-features-below',
      'On the web: app > pages > features > domain > components > lib.',
      { path: '^web/features/', pathNot: TESTS },
      { path: '^web/(app|pages)/' },
    ),
    forbid(
      'web-features-apart',
      'A page joins features; what several share moves down.',
      { path: '^web/features/([^/]+)/', pathNot: TESTS },
      { path: '^web/features/', pathNot: '^web/features/($1|audience)/' },
    ),
    forbid(
      'web-pages-below',
      'Pages do not reach up, nor into each other.',
      { path: '^web/pages/([^/]+)/', pathNot: TESTS },
      { path: '^web/(app|pages/(?!$1/))' },
    ),
    forbid(
      'web-domain-below',
      'Parts shared by features know no feature.',
      { path: '^web/domain/', pathNot: TESTS },
      { path: '^web/(app|pages|features)/' },
    ),
    forbid(
      'web-components-below',
      'Components and lib know no advertising.',
      { path: '^web/(components|lib)/', pathNot: TESTS },
      { path: '^web/(app|pages|features|domain)/' },
    ),
    forbid('lib-below-components', 'lib draws nothing.', path('web/lib/'), path('web/components/')),
    forbid('no-test-imports', 'Tests are imported by nothing.', { pathNot: TESTS }, { path: TESTS }),
  ],
  options: {
    // TypeScript 7 has no JS API. Without a parser that reads types, depcruise would find no imports and report no errors.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data|\\.types)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'browser', 'default'],
    },
  },
}
