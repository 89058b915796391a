/**
 * The settings that analytics.js (analytics-next) fetches before it sends: everything goes to this console, and nothing
 * to Segment, its own metrics neither.
 *
 * https://segment.com/docs/connections/sources/catalog/libraries/website/javascript/custom-proxy/
 */
export function analyticsSettings(key: string, origin: string) {
  const { host, protocol } = new URL(origin)
  const api = { apiHost: `${host}/v1`, protocol: protocol.replace(':', '') }
  return {
    integrations: {
      'Segment.io': {
        apiKey: key,
        ...api,
        unbundledIntegrations: [],
        addBundledMetadata: true,
        maybeBundledConfigIds: {},
        versionSettings: { version: '4.4.7', componentTypes: ['browser'] },
      },
    },
    plan: {
      track: { __default: { enabled: true, integrations: {} } },
      identify: { __default: { enabled: true } },
      group: { __default: { enabled: true } },
    },
    edgeFunction: {},
    analyticsNextEnabled: true,
    middlewareSettings: {},
    enabledMiddleware: {},
    legacyVideoPluginsEnabled: false,
    remotePlugins: [],
    metrics: { sampleRate: 0, ...api },
  }
}
