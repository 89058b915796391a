/** Every failure the API can name. `code` never changes; the type of AppError requires a value for each `{word}` in a msg. */
export const FAULTS = {
  failed: { code: 1, status: 500, msg: '请求失败' },
  badInput: { code: 2, status: 400, msg: '{reason}' },
  nameTaken: { code: 3, status: 409, msg: '同级目录下不允许重名' },
  notFound: { code: 4, status: 404, msg: '{what}不存在或已被删除' },
  audienceInUse: { code: 5, status: 409, msg: '人群包 {tag} 正在被计划使用中，不可删除' },
  unreadable: { code: 6, status: 400, msg: '请求内容无法解析' },
  tooLarge: { code: 7, status: 413, msg: '请求内容过大' },
  tooMany: { code: 8, status: 429, msg: '操作过于频繁，请稍后再试' },
  noSuchCall: { code: 9, status: 404, msg: '接口不存在' },
  diskFull: { code: 10, status: 507, msg: '服务器的磁盘空间不足，没有完成；请清理磁盘后重试' },
  databaseAway: { code: 11, status: 503, msg: '数据库暂时不可用，请稍后再试' },
  warehouseAway: { code: 12, status: 503, msg: '仓库暂时不可用，请稍后再试' },
  bodyStalled: { code: 13, status: 408, msg: '请求内容没有传完：长时间没有收到后续内容，请重试' },
  badUrl: { code: 14, status: 400, msg: '请求地址无法解析' },
  urlTooLong: { code: 15, status: 414, msg: '请求地址过长' },
  objectStoreAway: { code: 17, status: 503, msg: '对象存储暂时不可用，请稍后再试' },
  headersTooLarge: { code: 16, status: 431, msg: '请求头过大' },

  signedOut: { code: 401, status: 401, msg: '请先登录' },
  tokenInvalid: { code: 415, status: 401, msg: '令牌无效或已撤销' },
  wrongPassword: { code: 402, status: 401, msg: '用户名或密码错误' },
  forbidden: { code: 403, status: 403, msg: '没有权限进行此操作' },
  foreignOrigin: { code: 405, status: 403, msg: '请求来源不被允许' },
  foreignHost: {
    code: 414,
    status: 403,
    msg: '请求的主机名不是本服务的地址：请用 PUBLIC_URL 设置对外的地址，反向代理要把原来的 Host 一并传来',
  },
  signInThrottled: { code: 406, status: 429, msg: '登录尝试过于频繁，请 {minutes} 分钟后再试' },
  notMember: { code: 407, status: 403, msg: '没有该广告主的权限' },
  usernameTaken: { code: 408, status: 409, msg: '用户名已存在' },
  lastAdmin: { code: 409, status: 409, msg: '至少保留一个可用的管理员' },
  embedOff: { code: 412, status: 409, msg: '没有设置 EMBED_ORIGINS，不能嵌入其他网站' },
  embedTokenGone: { code: 413, status: 401, msg: '嵌入令牌已使用或已失效，请重新打开' },
  metricsClosed: { code: 411, status: 403, msg: '运行指标只能在本机读取，或用 METRICS_TOKEN 设置的令牌读取' },
  readOnly: { code: 418, status: 403, msg: '您对该广告主只有查看权限，不能修改；需要修改请联系管理员' },
  embeddedCannot: { code: 416, status: 403, msg: '嵌入的页面不能进行此操作' },
  ownAccount: { code: 417, status: 409, msg: '不能删除自己的账号' },
  tokenCannot: { code: 410, status: 403, msg: '此操作需要登录后进行，不能使用接口令牌' },

  defaultFolderStays: { code: 20, status: 409, msg: '默认分组不可重命名、移动或删除' },
  folderHoldsCrowds: {
    code: 21,
    status: 409,
    msg: '当前文件夹下存在人群包，请先移除人群包后再对文件夹进行删除操作。',
  },
  folderHoldsPackages: {
    code: 22,
    status: 409,
    msg: '当前文件夹下存在定向包，请先移除定向包后再对文件夹进行删除操作。',
  },
  folderTooDeep: { code: 23, status: 409, msg: '目录层级最多只有5级' },
  folderHoldsOthers: {
    code: 25,
    status: 403,
    msg: '文件夹里有其他广告主的内容，您不能全部看到，所以不能重命名、移动或删除；请联系管理员',
  },
  folderIntoItself: { code: 24, status: 409, msg: '不能将文件夹移动到自身或其子文件夹下' },

  ruleEmptyLeaf: { code: 41, status: 400, msg: '人群标签不能为空' },
  ruleUnknownTag: { code: 42, status: 400, msg: '规则中的标签或人群（ID {ids}）不存在，或不属于该广告主' },
  ruleCycle: { code: 43, status: 409, msg: '规则引用了自身：{path}，请移除后再保存' },
  ruleExpiredCrowd: { code: 44, status: 409, msg: '规则引用的历史人群「{name}」已失效，请移除或延长其失效时间' },
  ruleMalformed: { code: 45, status: 400, msg: '规则格式不正确：{reason}' },
  ruleTaken: { code: 46, status: 409, msg: '该规则已被其他人群使用，请重新打开编辑页' },

  crowdStale: {
    code: 60,
    status: 409,
    msg: '{who}在 {when} 已保存过此人群，您的修改未保存。请查看最新内容后再决定',
  },
  crowdExpiryPast: { code: 61, status: 400, msg: '失效时间不能早于今天' },
  crowdInUse: { code: 62, status: 409, msg: '人群包 {name} 正在被计划使用中，请先解绑或关闭计划' },
  crowdReferenced: { code: 63, status: 409, msg: '人群包 {name} 正在被其他人群引用：{by}，请先移除引用' },
  crowdStatusBars: { code: 64, status: 409, msg: '{status}的人群包不可{action}' },
  quotaFull: { code: 65, status: 409, msg: '该广告主的定向包已达上限（{capacity} 个），请删除部分定向包后再试' },
  tagNotReady: { code: 67, status: 409, msg: '标签「{name}」正在首次计算，请稍后再试' },
  crowdNoResult: { code: 68, status: 409, msg: '历史人群「{name}」还没有计算结果，请稍后再试' },
  restoreGone: { code: 69, status: 404, msg: '它已被恢复，或已彻底删除，请刷新列表查看' },
  ruleHasCrowd: { code: 70, status: 409, msg: '该规则已保存为人群，请通过编辑人群修改' },
  countTimedOut: { code: 66, status: 503, msg: '计算超时，请稍后重试' },

  tagInUse: { code: 80, status: 409, msg: '标签「{name}」正在被使用，不可删除：{by}' },
  tagBuiltIn: { code: 81, status: 409, msg: '内置标签不可修改或删除' },
  tagNameTaken: { code: 82, status: 409, msg: '同一分类下已有同名标签' },
  categoryInUse: { code: 83, status: 409, msg: '分类「{name}」下还有标签，请先移走标签' },
  categoryTagsInUse: { code: 88, status: 409, msg: '分类「{name}」中的标签正在被使用，不可删除：{by}' },
  attributeNotOfType: { code: 89, status: 409, msg: '{reason}' },
  phonesHidden: { code: 90, status: 403, msg: '{reason}' },
  tagUnknownField: { code: 84, status: 400, msg: '{what}「{name}」不存在，请先接入数据' },
  tagsFull: { code: 85, status: 409, msg: '该广告主自建的标签已达上限（{max} 个），请删除不用的标签后再试' },
  categoriesFull: { code: 86, status: 409, msg: '该广告主自建的分类已达上限（{max} 个），请删除空分类后再试' },

  importUnknownAdvertiser: { code: 100, status: 400, msg: '广告主「{name}」不存在。已有广告主：{known}' },
  importUnreadable: { code: 101, status: 400, msg: '文件无法读取：{reason}' },
  importMapping: { code: 102, status: 400, msg: '列映射不正确：{reason}' },
  importBusy: { code: 103, status: 409, msg: '该文件正在导入中' },
  importDiskFull: { code: 105, status: 507, msg: '磁盘空间不足，本次导入没有计入任何数据；请清理磁盘后重试' },
  importNotUndoable: { code: 106, status: 409, msg: '不能撤销：{reason}' },
  advertiserNameTaken: { code: 104, status: 409, msg: '广告主名称已存在' },
  taskNotRetryable: { code: 120, status: 409, msg: '该任务不能重试' },
  customHasChildren: { code: 140, status: 409, msg: '人群包 {name} 在平台账户下还有 {count} 个子人群，请先删除子人群' },
  customPushing: { code: 141, status: 409, msg: '人群包 {name} 正在推送中，请等待推送结束后再{action}' },
  customNotEditable: { code: 142, status: 409, msg: '{reason}' },
  customUnreadable: { code: 145, status: 400, msg: '没有可以读取的文件：{reason}' },
  customVersionGone: { code: 146, status: 404, msg: '版本 {version} 不存在、未完成或就是当前版本，不能恢复' },
  customNothing: { code: 147, status: 400, msg: '没有要修改的内容' },
  customFilesGone: { code: 148, status: 409, msg: '上传的文件已被清理，请重新上传' },

  platformClosed: { code: 143, status: 409, msg: '{reason}' },
  uploadRefused: { code: 130, status: 400, msg: '{reason}' },
  uploadProtocolVersion: {
    code: 131,
    status: 412,
    msg: '缺少请求头 Tus-Resumable: 1.0.0，或要求了不支持的上传协议版本',
  },

  pushRefused: { code: 160, status: 409, msg: '{reason}' },
  pushFailed: { code: 161, status: 502, msg: '{reason}' },
  pushSuperseded: { code: 162, status: 409, msg: '之后已有新的推送，请查看新的推送' },
  pushNotCancellable: { code: 167, status: 409, msg: '该推送已经结束，不能取消' },
  pushNotRetryable: { code: 163, status: 409, msg: '该推送正在进行或已完成，不需要重试' },
  pushBusy: { code: 164, status: 409, msg: '子人群「{name}」正在推送中，请等待推送结束后再删除' },
  platformRefused: { code: 165, status: 502, msg: '{platform}没有完成此操作：{reason}' },
  childAuthorised: { code: 166, status: 409, msg: '账户「{name}」的授权有效，请直接删除，平台上的人群包会一并删除' },
  suppressionAsks: { code: 180, status: 409, msg: '{reason}' },
  suppressionChanged: { code: 181, status: 409, msg: '名单已变化，现在符合条件的有 {count} 个，请重新确认' },
  packageStale: {
    code: 190,
    status: 409,
    msg: '{who}在 {when} 已保存过此定向包，您的修改未保存。请查看最新内容后再决定',
  },
  packageInUse: { code: 191, status: 409, msg: '定向包 {name} 正在被计划使用中，请先解绑或关闭计划：{plans}' },
  packagesFull: {
    code: 192,
    status: 409,
    msg: '账户「{account}」的定向包已达上限（{max} 个），请删除部分定向包后再试',
  },
  packageFromPlatform: { code: 193, status: 409, msg: '定向包 {name} 来自平台，只能查看和复制' },
  savedNameTaken: { code: 195, status: 409, msg: '已有同名的{what}，请换一个名称' },
  packageQuotaFull: { code: 194, status: 409, msg: '{reason}' },
  packageLocked: {
    code: 198,
    status: 409,
    msg: '定向包 {name} 正在被计划使用中，平台不允许修改；请先关闭计划，或复制后修改：{plans}',
  },
  webhookRefused: { code: 170, status: 400, msg: '通知地址不能使用：{reason}' },
  webhooksFull: { code: 171, status: 409, msg: '每个广告主最多 {max} 个通知' },
} as const

export type Fault = keyof typeof FAULTS

type Words<M extends string> = M extends `${string}{${infer W}}${infer Rest}` ? W | Words<Rest> : never
/** The words that a fault's sentence needs; `undefined` when it needs none. */
export type FaultWords<F extends Fault> = [Words<(typeof FAULTS)[F]['msg']>] extends [never]
  ? undefined
  : Record<Words<(typeof FAULTS)[F]['msg']>, string | number>

/** The sentence of a fault with its words filled in. */
export const faultSentence = (fault: Fault, words: Readonly<Record<string, string | number>> = {}): string =>
  FAULTS[fault].msg.replace(/\{(\w+)\}/g, (_, word: string) => String(words[word] ?? ''))
