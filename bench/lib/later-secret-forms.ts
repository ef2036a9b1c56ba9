/* Sets of forms as in `secret-forms.ts` that were written later. The rules were extended after the first run of each. */

/** Written after the rules of the first two sets. */
export const SECOND_SET: readonly string[] = `
my password is «hunter2 apple»
My new password is «correct horse battery staple», keep it safe.
my wifi password is «bananarama»
Password is «Tr0ub4dor&3» btw
pw for the nas = «kiwi-77-lime»
the passcode for the office door is «558201»
credentials: ada / «Wolke7!Rot»
login ada@example.org pass «mondlicht88»
user: root\\npass: «mondlicht88»
Das Passwort lautet: «Blauer Elefant 9»
Passwort für den Router ist «FritzBox!2020»
Mein WLAN Passwort: «sommerregen»
Zugangsdaten: ada / «Herbst#21»
le mot de passe est «soleil42»
Le mot de passe : «Bonjour!2024»
Mon code secret est «7719»
la contraseña: «Gato_Negro5»
mi clave es «Girasol2023»
La contraseña de mi correo es «perro verde 8»
パスワードは«Sakura2024»です
ログインのパスワード: «neko-1234»
暗証番号は«4096»
口令：«Huawei@123»
пароль «Zima2024!» от почты
비밀번호는 «Seoul!88»입니다
db:\\n  user: app\\n  password: «Lemon-Tree9»
database:\\n  url: postgres://app:«Lemon-Tree9»@db/app
[database]\\npassword = "«Lemon-Tree9»"
DATABASE_URL="postgresql://app:«Lemon-Tree9»@db:5432/app?sslmode=require"
STRIPE_SECRET=«rk_live_#24»
<password>«lemontree»</password>
<Password encrypted="false">«Lemon-Tree9»</Password>
<secret><value>«Lemon-Tree9x»</value></secret>
https://api.example.org/v1/items?page=2&api_key=«d41d8cd98f00b204»
https://maps.example.org/?key=«AIzaSy#33»
wss://example.org/socket?auth_token=«q8w7e6r5t4y3»
https://«ghp_#36»:x-oauth-basic@github.com/ada/repo
curl -s -u admin:«Lemon-Tree9» -X POST http://localhost:8080/
curl --header 'Authorization: Basic «YWRtaW46TGVtb24tVHJlZTk=»' https://example.org
curl -H 'PRIVATE-TOKEN: «glpat-#20»' https://gitlab.example.org/api/v4/projects
authorization: bearer «#32»
{"headers":{"authorization":"Bearer «#32»"}}
-----BEGIN RSA PRIVATE KEY-----\\n«MIIEpAIBAAKCAQEA#48»\\n-----END RSA PRIVATE KEY-----
-----BEGIN OPENSSH PRIVATE KEY-----\\n«b3BlbnNzaC1rZXktdjEA#48»\\n-----END OPENSSH PRIVATE KEY-----
mysql -h db -u root -p"«Lemon-Tree9»" shop < dump.sql
docker login ghcr.io -u ada -p «ghp_#36»
sshpass -p"«Lemon-Tree9»" ssh root@10.0.0.5
PGPASSWORD="«Lemon-Tree9»" psql -U app
psql 'host=db user=app password=«Lemon-Tree9» dbname=shop'
apiVersion: v1\\nkind: Secret\\ntype: Opaque\\ndata:\\n  token: «c3VwZXItc2VjcmV0LXRva2Vu»
{\\"user\\":\\"ada\\",\\"apiKey\\":\\"«9f8e7d6c5b4a»\\"}
{"body":"{\\\\\\"password\\\\\\":\\\\\\"«Lemon-Tree9»\\\\\\"}"}
NOTION_TOKEN=«secret_#43»
SUPABASE_SERVICE_ROLE_KEY=«eyJhbGciOiJIUzI1NiJ9.#60.#43»
DISCORD_TOKEN=«MTA1MjM0NTY3ODkwMTIzNDU2.GabcD1.#38»
ATLASSIAN_API_TOKEN=«ATATT3xFfGF0#100»
MOLLIE_API_KEY=«live_#30»
xoxp-«123456789012-123456789012-123456789012-%32»
//registry.npmjs.org/:_authToken=«npm_#36»
github_pat_«11ABCDEFG0#59»
`
  .trim()
  .split('\n')

/** Written after those, of another look: notes, chats, logs, files and scripts as people paste them. */
export const THIRD_SET: readonly string[] = `
hey, server pw changed again -> «Otter_Pond_31»
1. host: 10.1.1.4\\n2. user: deploy\\n3. password: «Otter_Pond_31»
ok so the admin login is admin and the password is «sunshine»
use pass «Otter_Pond_31» when it asks
Root PW: «otterpond»
The secret key for staging is «sk-stg-9Kd83hfKs02»
our api token: «t0k_9Kd83hfKs02Lq»
Can you log in? Username: kim Password: «Otter_Pond_31»
PIN code is «0937», don't tell anyone
Kennwort: «Regenbogen!77»
Dein neues Passwort lautet «regenbogen» und gilt ab heute.
das pw ist «Regenbogen!77»
Voici le mot de passe : «Arc-en-ciel7»
mdp: «Arc-en-ciel7»
La clave del wifi es «ArcoIris77»
usuario: ana, contraseña: «ArcoIris77»
la password del server è «Arcobaleno77»
新しいパスワードは「«Niji-2024»」に変更しました
密码改成了 «Caihong77»
spring:\\n  datasource:\\n    username: app\\n    password: «Otter_Pond_31»
services:\\n  db:\\n    environment:\\n      MYSQL_ROOT_PASSWORD: "«Otter_Pond_31»"
[servers.production]\\napi_token = "«9Kd83hfKs02Lq»"
SECRET_TOKEN='«9Kd83hfKs02Lq»'
export OPENAI_API_KEY="«sk-proj-#60»"
AWS_SECRET_ACCESS_KEY: «#40»
<entry key="smtp.password">«Otter_Pond_31»</entry>
<setting name="ApiKey" value="«9Kd83hfKs02Lq»" />
Set-Cookie: connect.sid=«s%3A#30.#30»; HttpOnly
2026-11-02 10:11:12 DEBUG login attempt user=kim password=«Otter_Pond_31» ip=10.0.0.1
ERROR: connection to "mysql://kim:«Otter_Pond_31»@db.internal/app" refused
{"level":"info","msg":"request","headers":{"x-api-key":"«9Kd83hfKs02Lq»"}}
fetch(url, { headers: { 'Authorization': 'token «ghp_#36»' } })
requests.get(url, auth=("kim", "«Otter_Pond_31»"))
conn = mysql.connect(user='kim', passwd='«Otter_Pond_31»')
aws configure set aws_secret_access_key «#40»
mysqldump --user=kim --password='«Otter_Pond_31»' app
redis://default:«Otter_Pond_31»@redis:6379
xoxe.xoxp-1-«#60»
pypi-«AgEIcHlwaS5vcmcCJ#80»
whsec_«#32»
`
  .trim()
  .split('\n')

/** Written after those: what people say to an assistant, and what tools print. */
export const FOURTH_SET: readonly string[] = `
Remember this: the alarm code is «482913».
For the record, my Netflix password is «popcornnight».
our shared login: team@example.org / «Falcon!Nest8»
The VPN password has been changed to «Falcon!Nest8»
you can sign in as root with «Falcon!Nest8» as the password
ssh pass = «falcon-nest-8»
My sister's password is «teapot rocket moon»
password reminder: «FalconNest8»
Temporary password: «qHt7-Kp2x»
One-time password «883 201»
Mein PIN ist «5521»
Unser WLAN-Schlüssel lautet «KaffeeTasse99»
Das Kennwort ist jetzt «Hafenblick»
Passwort = «Hafenblick7»
Benutzer: karl, Passwort: «Hafenblick7»
Mon mot de passe Gmail est «pamplemousse»
Identifiants : jean / «Pample!mousse»
Mi contraseña de Netflix es «palomitas»
Tu nueva contraseña es: «Palomitas-8»
私のパスワードは「«momiji88»」です。
パスワード=«momiji88»
默认密码为 «Fengye88»
POSTGRES_PASSWORD: «falconnest»
  password: '«falcon nest»'
redis:\\n  auth: «FalconNest8»
credentials:\\n  username: admin\\n  password: «FalconNest8»
REDIS_URL=rediss://default:«#32»@eu1.example.net:6379
SENTRY_AUTH_TOKEN=«sntrys_#60»
"token": "«5f4dcc3b5aa765d61d8327deb882cf99»"
<input type="hidden" name="csrf_token" value="«5f4dcc3b5aa765d61d8327»">
<secretKey>«5f4dcc3b5aa765d6»</secretKey>
GET /login?user=kim&password=«FalconNest8» HTTP/1.1
Authorization: Digest username="kim", response="«5f4dcc3b5aa765d61d8327deb882cf99»"
ftp> user kim «FalconNest8»
$ mysql --user=root --password=«FalconNest8» --host=db
$ psql "user=kim password='«FalconNest8»' host=db"
$ export GITHUB_TOKEN=«ghp_#36»
az storage blob list --account-key «#86»==
gcloud auth activate-service-account --key-file=- <<< '{"private_key": "-----BEGIN PRIVATE KEY-----\\n«MIIEvQIBADANBgkq#40»\\n-----END PRIVATE KEY-----"}'
sk-or-v1-«%64»
`
  .trim()
  .split('\n')

/** Written last: no rule was fitted to them before their first run. */
export const FIFTH_SET: readonly string[] = `
btw the db pass is «Marmot+Hill2»
I changed my password to «Marmot+Hill2» last night
my laptop password: «marmothill»
Here are the creds: admin / «Marmot+Hill2»
the root password for db01 is «marmothill22»
Our API key for the weather service is «w3atherK3y99x»
Set the password to "«Marmot Hill»"
password (admin): «MarmotHill2»
Wifi: Marmot-Guest, password «MarmotHill2»
the garage code is «77120»
Mein Kennwort für den Laptop lautet «Murmeltier»
Das neue Root-Passwort ist «Murmeltier#5»
Login: eva, Kennwort: «Murmeltier#5»
Le mot de passe du serveur est «Marmotte#5»
Mon mot de passe est «marmotte»
La contraseña del router es «Marmota#5»
Nuestra contraseña es «marmota roja»
A senha do banco é «Marmota#5»
La mia password è «marmotta»
サーバーのパスワードは marmot-2024 ではなく «usagi-2025» です
我的密码是«Hamster66»
Мой пароль: «Surok2024»
DB_PASS: «MarmotHill2»
jwt:\\n  secret: «m4rm0t-h1ll-s3cr3t»
api:\\n  key: "«m4rm0th1lls3cr3t»"
token = "«m4rm0th1lls3cr3t»"
MAIL_PASSWORD="«Marmot Hill 2»"
<apiKey>«m4rm0th1lls3cr3t»</apiKey>
<user name="kim" password="«MarmotHill2»"/>
https://example.org/cb?code=1&client_secret=«m4rm0th1lls3cr3t»
mongodb://kim:«MarmotHill2»@db1,db2/app?replicaSet=rs0
curl -ukim:«MarmotHill2» https://example.org
curl -d '{"username":"kim","password":"«MarmotHill2»"}' https://example.org/login
curl -d "grant_type=password&username=kim&password=«MarmotHill2»" https://example.org/token
podman login -u kim -p «MarmotHill2» quay.io
mysqladmin -u root -p«MarmotHill2» status
kubectl create secret docker-registry r --docker-username=kim --docker-password=«MarmotHill2»
{"env":[{"name":"API_TOKEN","value":"«m4rm0th1lls3cr3t»"}]}
Bearer «#40»
AKIA«ABCD2345EFGH6789»
`
  .trim()
  .split('\n')

/** Forms of these sets that the rules do not find: they would change texts of user interfaces, or are corrections. */
export const STILL_MISSED: readonly string[] = [
  "  password: '«falcon nest»'",
  'サーバーのパスワードは marmot-2024 ではなく «usagi-2025» です',
]
